//! Tests of campaigns and of leases, in one program: they share their directories and their pools in memory.

mod campaigns;
mod common;
mod leases;
