//! The stores: one law suite for all of them, then what only a file can suffer.

mod crash;
mod crash_replacing;
mod damage;
mod disk;
mod kit;
mod laws;
mod line;
mod tamper;
