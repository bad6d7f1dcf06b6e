//! [`JetStream`]: a queue on a NATS server, for many machines. Feature `nats`.
//!
//! # The objects of a campaign `c` on the server
//! | name | kind | use |
//! |---|---|---|
//! | `SW_c_JOBS` | work queue in memory, subject `sw.c.job` | jobs; gone with its server, and made and filled anew |
//! | `SW_c_REPORTS` | work queue on disk, subjects `sw.c.report.KEY` | reports until the coordinator has them |
//! | `SW_c_DECISIONS` | stream on disk, subject `sw.c.decision` | the row of decisions; appended with the number expected |
//! | `SW_c_STATE` | last value on disk, subjects `sw.c.state.*` | control, workers that are shut out, status |
//! | `SW_c_LEAD` | last value in memory, for a term | the lead |
//! | `SW_c_BLOBS` | object store on disk | blobs that are too large for a report |
//! | `sw.c.cancel` | plain subject | jobs that are withdrawn |
//! | `sw.c.hint.NAME` | plain subjects | hints of workers for each other; a worker hears those sent after its start |

mod api;
mod carrier;
mod connection;

pub use connection::{JetStream, JetStreamOptions, Login};
