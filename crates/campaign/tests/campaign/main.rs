//! Tests of campaigns and of leases, in one program: the tests share the functions for directories and the pool in
//! memory.

mod campaigns;
mod common;
mod leases;
mod proving;
