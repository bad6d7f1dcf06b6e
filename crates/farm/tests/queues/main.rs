//! The queue of one machine: its laws, its journal, its messages, and coordinators that lose their place.

mod deposed;
mod embedded;
mod failures;
mod journal;
mod messages;
mod odd;
