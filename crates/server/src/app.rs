//! [`App`]: the parts of a running server that all requests share.

use std::sync::Arc;

use stonework_session::Registry;

use crate::proofs::Proofs;
use crate::{Config, ConfigError, Store, StoreError};

/// The reason why a server does not start.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum OpenError {
    /// The configuration is refused.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// The database cannot be opened.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// The parts of a running server. A clone is another handle to the same server.
#[derive(Clone, Debug)]
pub struct App(Arc<Parts>);

#[derive(Debug)]
struct Parts {
    config: Config,
    registry: Registry,
    store: Store,
    proofs: Proofs,
}

impl App {
    /// Opens the database, and continues the games that were running.
    ///
    /// # Errors
    /// [`OpenError`] for a configuration that contradicts itself, and for a database that cannot be opened.
    pub async fn open(config: Config) -> Result<Self, OpenError> {
        config.check()?;
        let store = Store::open(&config.data).await?;
        let proofs = Proofs::open(&config.proofs);
        Ok(Self(Arc::new(Parts { config, registry: Registry::standard(), store, proofs })))
    }

    /// The configuration.
    #[must_use]
    pub fn config(&self) -> &Config {
        &self.0.config
    }

    /// The games by name.
    #[must_use]
    pub fn registry(&self) -> &Registry {
        &self.0.registry
    }

    /// The certificates.
    pub(crate) fn proofs(&self) -> &Proofs {
        &self.0.proofs
    }

    /// The database.
    #[must_use]
    pub fn store(&self) -> &Store {
        &self.0.store
    }
}
