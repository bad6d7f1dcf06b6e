//! Small programs that use the crates as any other project would: see the folder `examples`.
//!
//! Each says at its top what it shows, how to run it and what it prints, and checks what it shows.
//! `python/havannah_subject.py` is somebody else's rules, for `stonework conform`.
