//! Calls a second over the wire, beside a service that only echoes messages of the same sizes.
//!
//! Seconds are noisy, so what counts are the ratios of one run: rounds of echo and of play take turns, each play is held
//! against the echoes right before and after it, and the median of these ratios is printed. 64 matches of English Civil War IIa are played at once over 4 connections; each call takes one action and is
//! answered with the legal actions of the next. Client and server share a process, which is a new one for each round.
//!
//! The echo is what `tonic` gives of itself. The matches are played over Edgehill's own connections at both ends
//! (`edgehill_transport::WriteCoalescer`); [`kind::Peer`] has the variations.
//!
//! `cargo bench -p edgehill-service --bench wire`, with a folder to measure in as argument if it should not be the system's one
//! for temporary files. For a profiler, `only=alone`, `only=unary/memory` and so on measure that once, and print it.

mod alone;
mod disk;
mod echo;
mod kind;
mod load;
#[path = "../../tests/shared/message.rs"]
#[allow(dead_code, reason = "tests use the rest")]
mod message;
mod play;
mod serve;
mod unary;

use std::path::Path;
use std::sync::Arc;

use mimalloc::MiMalloc;

use edgehill_service::store::MemoryStore;

use kind::{Kind, Peer};

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
    match only {
        None => {
            all(folder.path());
            runtime.block_on(beside(folder.path()));
        }
        Some(only) => match Kind::named(&only) {
            Some(kind) => println!("{:.0} calls a second", runtime.block_on(kind.here(folder.path()))),
            None => eprintln!("expected alone, or unary/ or Play/ and a peer such as memory, found {only}"),
        },
    }
}

/// Rounds of everything, each between two of the echo: its share is of their mean.
fn all(folder: &Path) {
    let [_, others @ ..] = Peer::ALL;
    print_row("", &Peer::ALL.map(Peer::name).map(str::to_owned), &others.map(Peer::name).map(str::to_owned));
    for (way, kind) in [("unary", Kind::Unary as fn(Peer) -> Kind), ("Play", Kind::Play)] {
        let mut echoes = vec![kind(Peer::Echo).apart(folder)];
        let (mut rates, mut shares) = (others.map(|_| Vec::new()), others.map(|_| Vec::new()));
        for round in 0..ROUNDS {
            for (index, &peer) in others.iter().enumerate() {
                // It takes long, and no bar is set for it.
                if peer == Peer::Kept && round > 0 {
                    continue;
                }
                let (before, rate) = (echoes[echoes.len() - 1], kind(peer).apart(folder));
                echoes.push(kind(Peer::Echo).apart(folder));
                rates[index].push(rate);
                shares[index].push(2.0 * rate / (before + echoes[echoes.len() - 1]));
            }
        }
        let rates: Vec<f64> = [echoes].into_iter().chain(rates).map(median).collect();
        let rates: Vec<String> = rates.iter().map(|rate| format!("{rate:.0}")).collect();
        print_row(way, &rates, &shares.map(|shares| format!("{:.0} %", 100.0 * median(shares))));
    }
}

fn median(mut figures: Vec<f64>) -> f64 {
    figures.sort_by(f64::total_cmp);
    figures[figures.len() / 2]
}

/// Calls a second, then how many of the echo's the others are.
fn print_row(name: &str, rates: &[String], shares: &[String]) {
    let rates: String = rates.iter().map(|rate| format!("{rate:>9}")).collect();
    let shares: String = shares.iter().map(|share| format!("{share:>8}")).collect();
    println!("{name:<6}{rates}  {shares}");
}

/// Prints figures that help to understand the rest.
async fn beside(folder: &Path) {
    let sizes = unary::sizes(&serve::matches(Arc::new(MemoryStore::new())).await).await;
    println!("a call of {} bytes, an answer of {} on average", sizes.request, sizes.response);
    let (play, echo) = (Kind::Alone.apart(folder), alone::echo(sizes).await);
    println!("one caller without a connection, in memory: {play:.0} calls a second; {echo:.0} of the echo");
    let sync = disk::sync(folder);
    println!(
        "a sync of the disk takes {:.2} ms: {} calls in flight are at most {:.0} durable ones a second",
        sync.as_secs_f64() * 1e3,
        load::MATCHES,
        load::MATCHES as f64 / sync.as_secs_f64()
    );
}
