//! The processor time of this process and of the server's, apart, and the server's memory: [`Processor`].

use std::time::Duration;

use crate::error::Error;

/// The processes that are looked at.
#[derive(Copy, Clone, Debug)]
pub(super) struct Processor {
    server: Option<i32>,
}

/// Processor time that was used, and the machine's load.
#[derive(Copy, Clone, Debug, Default)]
pub(super) struct Used {
    /// By this process; `None` where the system does not tell.
    pub(super) client: Option<Duration>,
    /// By the server; `None` if it was not named.
    pub(super) server: Option<Duration>,
    /// Processes that want to run, over the last minute.
    pub(super) load: Option<f32>,
}

impl Processor {
    /// Looks at this process and, if it is given, at that of the server.
    pub(super) fn of(server: Option<i32>) -> Result<Self, Error> {
        let processor = Self { server };
        processor.now()?;
        Ok(processor)
    }

    /// Processor time that was used until now.
    #[cfg(target_os = "linux")]
    pub(super) fn now(self) -> Result<Used, Error> {
        use procfs::Current as _;

        let used = |process: procfs::ProcResult<procfs::process::Process>| {
            let stat = process.and_then(|process| process.stat());
            let ticks = stat.map(|stat| stat.utime + stat.stime)?;
            Ok(Duration::from_secs_f64(ticks as f64 / procfs::ticks_per_second() as f64))
        };
        let gone = |pid: i32, error: procfs::ProcError| Error::Usage(format!("--server-pid {pid}: {error}"));
        let server =
            self.server.map(|pid| used(procfs::process::Process::new(pid)).map_err(|error| gone(pid, error)));
        Ok(Used {
            client: used(procfs::process::Process::myself()).ok(),
            server: server.transpose()?,
            load: procfs::LoadAverage::current().ok().map(|load| load.one),
        })
    }

    /// Bytes of the server that are in memory; `None` if it was not named, or the system does not tell.
    pub(super) fn server_bytes(self) -> Option<u64> {
        #[cfg(target_os = "linux")]
        {
            let stat = procfs::process::Process::new(self.server?).and_then(|process| process.stat()).ok()?;
            Some(stat.rss * procfs::page_size())
        }
        #[cfg(not(target_os = "linux"))]
        None
    }

    /// Processor time that was used until now.
    #[cfg(not(target_os = "linux"))]
    pub(super) fn now(self) -> Result<Used, Error> {
        match self.server {
            Some(_) => Err(Error::Usage("--server-pid: this system does not tell".to_owned())),
            None => Ok(Used::default()),
        }
    }
}

impl Used {
    /// Processor time that was used since `before`, and the load of now.
    pub(super) fn since(self, before: &Self) -> Self {
        let less = |now: Option<Duration>, then: Option<Duration>| Some(now?.saturating_sub(then?));
        Self {
            client: less(self.client, before.client),
            server: less(self.server, before.server),
            load: self.load,
        }
    }
}
