//! Tests of campaigns and of proving on a farm, in one program.

mod campaigns;
mod proving;
