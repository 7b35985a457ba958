//! Acts over stores that fail, and over stores that somebody else writes to.

use std::sync::atomic::{AtomicBool, Ordering};

use super::*;
use crate::clock::ManualClock;
use crate::identity::{AccountAct, AccountRoles, Role};
use crate::store::{Faults, MemoryStore, Moment};

/// Refuses all writes while it is set.
#[derive(Default, Debug)]
struct Full(AtomicBool);

impl Faults for Full {
    fn at(&self, _: Moment) -> Result<(), String> {
        if self.0.load(Ordering::Relaxed) { Err("no room".to_owned()) } else { Ok(()) }
    }
}

const KEY: ServerKey = ServerKey::from_bytes([3; 32]);

fn id(name: &str) -> AccountId {
    AccountId::new(name).unwrap()
}

fn ask(name: &str) -> Ask {
    Ask { id: RequestId::new(name).unwrap(), body: BodyHash::of(name.as_bytes()) }
}

async fn open(store: &Arc<dyn Store>) -> Administration {
    let accounts = Accounts::anonymous().with_kept(&KEY, Arc::new(ManualClock::new(1)));
    let clock = Arc::new(ManualClock::new(1_000));
    Administration::open(Arc::clone(store), KEY, CurrentAccounts::new(accounts), clock).await.unwrap()
}

async fn create(administration: &Administration, name: &str) -> Result<LoggedAct, Error> {
    let roles: AccountRoles = [Role::Player].into_iter().collect();
    let act = Act::Account(AccountAct::Create { account: id(name), roles });
    administration.perform(id("chief"), ask(name), move |_, _| Ok(act)).await
}

fn has(administration: &Administration, name: &str) -> bool {
    administration.accounts().kept().get(&id(name)).is_some()
}

#[tokio::test]
async fn an_act_that_is_not_durable_is_not_done_and_is_done_when_it_comes_again() {
    let faults = Arc::new(Full::default());
    let clock = Arc::new(ManualClock::new(1));
    let store: Arc<dyn Store> = Arc::new(MemoryStore::with(Arc::clone(&faults) as Arc<dyn Faults>, clock));
    let administration = open(&store).await;
    create(&administration, "ada").await.unwrap();
    faults.0.store(true, Ordering::Relaxed);
    let refused = create(&administration, "bob").await;
    assert!(matches!(refused, Err(Error::Store(store::Error::Unavailable { .. }))), "{refused:?}");
    assert!(!has(&administration, "bob"));
    // One that was answered is answered, whatever the store can do.
    assert_eq!(create(&administration, "ada").await.unwrap().number, 1);
    faults.0.store(false, Ordering::Relaxed);
    assert_eq!(create(&administration, "bob").await.unwrap().number, 2);
    assert!(has(&administration, "bob"));
}

#[tokio::test]
async fn what_another_server_did_is_taken_up_before_anything_is_done() {
    let store: Arc<dyn Store> = Arc::new(MemoryStore::new());
    let (one, other) = (open(&store).await, open(&store).await);
    create(&one, "ada").await.unwrap();
    let made = create(&other, "ada").await.unwrap();
    assert_eq!((made.number, made.actor), (1, id("chief")));
    assert_eq!(create(&other, "bob").await.unwrap().number, 2);
    assert_eq!(create(&one, "cyd").await.unwrap().number, 3);
    assert!(["ada", "bob", "cyd"].iter().all(|name| has(&one, name)));
    let again = open(&store).await;
    assert!(["ada", "bob", "cyd"].iter().all(|name| has(&again, name)));
    let (acts, next) = again.acts(1, None, 1).await.unwrap();
    assert_eq!((acts[0].act.account(), next), (Some(&id("bob")), Some(2)));
}

#[tokio::test]
async fn a_log_that_can_not_be_read_is_no_empty_one() {
    for (number, bytes) in [(1, vec![]), (1, vec![9]), (1, vec![1, 7])] {
        let store: Arc<dyn Store> = Arc::new(MemoryStore::new());
        store.keep_act(KeptAct { number, bytes }).await.unwrap();
        let accounts = CurrentAccounts::default();
        let opened = Administration::open(store, KEY, accounts, Arc::new(ManualClock::new(1))).await;
        assert_eq!(opened.err(), Some(Error::Unreadable { number: 1 }));
    }
}
