//! Calls a second over the wire, beside a service that only echoes messages of the same sizes.
//!
//! Seconds are noisy, so what counts are the ratios of one run: rounds of echo and of play take turns, and the ratio is that
//! of the medians. 64 matches of English Civil War IIa are played at once over 4 connections; each call takes one step and is
//! answered with the legal steps of the next.
//!
//! The echo is what `tonic` gives of itself. The matches are played over Edgehill's own connections at both ends
//! (`edgehill_proto::gathering`); once more (`bare`) by clients that connect as those of the echo, and once (`server`) on the
//! whole server, with all that it has around its services.
//!
//! `cargo bench -p edgehill-service --bench wire`, with a folder to measure in as
//! argument if it should not be the system's one for temporary files. For a profiler, `only=alone`, `only=unary`,
//! `only=server` or `only=Play` plays just that in memory, `only=durable` on the durable store, and `only=echo` only echoes.

mod alone;
mod disk;
mod echo;
mod load;
mod play;
mod serve;
mod unary;

use std::sync::Arc;

use mimalloc::MiMalloc;

use edgehill_service::store::{MemoryStore, Options, SqliteStore, Store};

use load::Line;

// As the server has it.
#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

/// Rounds of each kind.
const ROUNDS: usize = 5;

fn main() {
    // Cargo gives `--bench`; anything else is the folder.
    let arguments = || std::env::args().skip(1);
    let only = arguments().find_map(|argument| argument.strip_prefix("only=").map(str::to_owned));
    let folder = arguments().find(|argument| !argument.starts_with("--") && !argument.starts_with("only="));
    let folder = folder.map_or_else(tempfile::tempdir, tempfile::tempdir_in).expect("a folder to write in");
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
        .expect("a runtime");
    let durable =
        Arc::new(SqliteStore::open(folder.path().join("wire.db"), &Options::default()).expect("a new store"));
    let memory: Arc<dyn Store> = Arc::new(MemoryStore::new());
    runtime.block_on(async {
        let memory = serve::matches(memory).await;
        match only.as_deref() {
            None => {}
            Some("alone") => return println!("{:.0} calls a second", alone::play().await),
            Some("unary") => {
                return println!("{:.0} calls a second", unary::play(&memory, Line::Gathering).await);
            }
            Some("Play") => {
                return println!("{:.0} calls a second", play::play(&memory, Line::Gathering).await);
            }
            Some("durable") => {
                let durable = serve::matches(durable).await;
                return println!("{:.0} calls a second", unary::play(&durable, Line::Gathering).await);
            }
            Some("server") => {
                let server = serve::server().await;
                return println!(
                    "{:.0} calls a second",
                    unary::play(&server.local_addr(), Line::Gathering).await
                );
            }
            Some("echo") => {
                let sizes = unary::sizes(&memory).await;
                let echo = serve::echo(sizes);
                return println!("{:.0} calls a second", unary::echo(&echo, sizes).await);
            }
            Some(other) => {
                return eprintln!("expected alone, unary, server, durable, Play or echo, found {other}");
            }
        }
        let durable = serve::matches(durable).await;
        let server = serve::server().await;
        let sizes = unary::sizes(&memory).await;
        let echo = serve::echo(sizes);
        let (mut unary, mut streams) = (Rates::default(), Rates::default());
        for _ in 0..ROUNDS {
            unary.echo.push(unary::echo(&echo, sizes).await);
            unary.memory.push(unary::play(&memory, Line::Gathering).await);
            unary.bare.push(unary::play(&memory, Line::Bare).await);
            unary.server.push(unary::play(&server.local_addr(), Line::Gathering).await);
            unary.durable.push(unary::play(&durable, Line::Gathering).await);
            streams.echo.push(play::echo(&echo, sizes).await);
            streams.memory.push(play::play(&memory, Line::Gathering).await);
            streams.bare.push(play::play(&memory, Line::Bare).await);
            streams.server.push(play::play(&server.local_addr(), Line::Gathering).await);
            streams.durable.push(play::play(&durable, Line::Gathering).await);
        }
        let (play, echo) = (alone::play().await, alone::echo(sizes).await);
        println!(
            "one caller without a connection, in memory: {play:.0} calls a second; {echo:.0} of the echo"
        );
        let sync = disk::sync(folder.path());
        println!(
            "a sync of the disk takes {:.2} ms: {} calls in flight are at most {:.0} durable ones a second",
            sync.as_secs_f64() * 1e3,
            load::MATCHES,
            load::MATCHES as f64 / sync.as_secs_f64()
        );
        println!("a call of {} bytes, an answer of {} on average", sizes.request, sizes.response);
        print_row(
            "",
            ["echo", "memory", "durable", "bare", "server"].map(str::to_owned),
            ["memory", "durable", "bare", "server"].map(str::to_owned),
        );
        unary.print("unary");
        streams.print("Play");
    });
}

/// Calls a second, by round.
#[derive(Default)]
struct Rates {
    echo: Vec<f64>,
    memory: Vec<f64>,
    durable: Vec<f64>,
    /// In memory, for clients that connect as `tonic` does of itself.
    bare: Vec<f64>,
    /// In memory, by the whole server.
    server: Vec<f64>,
}

impl Rates {
    fn print(self, name: &str) {
        let all = [self.echo, self.memory, self.durable, self.bare, self.server];
        let medians = all.map(|mut rates| {
            rates.sort_by(f64::total_cmp);
            rates[rates.len() / 2]
        });
        let [echo, shares @ ..] = medians;
        let shares = shares.map(|rate| format!("{:.0} %", 100.0 * rate / echo));
        print_row(name, medians.map(|rate| format!("{rate:.0}")), shares);
    }
}

/// Calls a second, then how many of the echo's the others are.
fn print_row(name: &str, rates: [String; 5], shares: [String; 4]) {
    let rates: String = rates.iter().map(|rate| format!("{rate:>9}")).collect();
    let shares: String = shares.iter().map(|share| format!("{share:>8}")).collect();
    println!("{name:<6}{rates}  {shares}");
}
