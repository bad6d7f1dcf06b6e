//! The server: in this process without a connection, over loopback, and as the built program.

mod common;
mod engines;
mod fields;
mod gone;
mod http;
mod kill;
mod limits;
mod load;
mod noise;
mod offers;
mod pages;
mod panic;
mod ponders;
mod ports;
mod refusals;
mod socket;
