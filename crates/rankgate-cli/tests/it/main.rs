//! The real binary from outside: files and flags in, screens, reports and exit statuses out.

mod cli;
mod collections;
mod shared_files;
mod trec_eval;
mod tutorials;
