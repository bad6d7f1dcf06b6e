//! [`JetStream`] as a [`Queue`].

use std::time::{Duration, Instant};

use bytes::Bytes;
use futures_util::{FutureExt as _, StreamExt as _};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::api::{expected, expected_of_subject, once};
use super::connection::{ANSWER, JetStream, MOST, Puller};
use crate::embedded::{MAX_DECISION, MAX_STATUS};
use crate::job::{check_length, check_name};
use crate::queue::{
    Control, Delivery, Depth, Hint, JobLease, JobOffer, Lead, Leading, Queue, QueueError, Receipt,
};
use crate::wire::{decode_job, decode_report, encode_job, encode_report};
use crate::{Digest, FarmJob, FarmJobId, JobOutcome, MAX_BLOB, MAX_HINT, MAX_INLINE, WireError, WorkReport};

/// The time of an open request for reports.
const PULL: Duration = Duration::from_secs(5);
/// The time after its end that the server has for the answer to a request for a job.
const GRACE: Duration = Duration::from_secs(3);
/// The largest number of jobs in one message about withdrawn jobs: 256 KiB, a quarter of what a server takes.
const CANCELLED: usize = 8192;
/// The number of reports of an open request.
const PULLED: usize = 64;
/// The largest number of reported jobs whose places are known.
const MOST_REPORTED: usize = 10_000;
/// The least bytes of a message of a blob, but for the last: half of those that a program of ours writes.
const LEAST_CHUNK: usize = 64 << 10;
/// The time between two looks at the control while a campaign is paused.
const PAUSED: Duration = Duration::from_millis(100);
/// The time for which a job that a worker cannot do is kept from all workers, so that others ask first.
const UNABLE: Duration = Duration::from_millis(100);

/// The control, the workers that are shut out, and the term in milliseconds, which a coordinator of an early program does not
/// tell.
#[derive(Serialize, Deserialize, Default)]
struct State {
    control: Control,
    shut: Vec<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    term: Option<u64>,
}

#[derive(Serialize, Deserialize)]
struct Leader {
    name: String,
    key: String,
}

impl JetStream {
    async fn read_state(&self) -> Result<(State, u64), QueueError> {
        let stored = self.last(&self.stream("STATE"), &self.subject("state.control")).await?;
        let (state, place): (State, u64) = stored.map_or_else(Default::default, |stored| {
            (serde_json::from_slice(&stored.bytes).unwrap_or_default(), stored.place)
        });
        if let Some(term) = state.term {
            self.shared.set_term(term);
        }
        Ok((state, place))
    }

    /// Changes the state; once more if somebody else changes it at the same time.
    async fn change_state(&self, change: impl Fn(&mut State)) -> Result<(), QueueError> {
        loop {
            let (mut state, place) = self.read_state().await?;
            change(&mut state);
            let bytes = serde_json::to_vec(&state).unwrap_or_default();
            let headers = Some(expected_of_subject(place));
            match self.put_message(self.subject("state.control"), bytes, headers).await {
                Err(QueueError::Deposed) => {}
                done => return done.map(|_| ()),
            }
        }
    }

    /// Tells the workers the term of this coordinator, unless they know it.
    pub(super) async fn tell_term(&self) -> Result<(), QueueError> {
        let own = Some(self.options.term.as_millis() as u64);
        if self.read_state().await?.0.term == own {
            return Ok(());
        }
        self.change_state(|state| state.term = own).await?;
        self.read_state().await.map(|_| ())
    }

    async fn leader(&self) -> Result<Option<(Leader, u64)>, QueueError> {
        let stored = self.last(&self.stream("LEAD"), &self.subject("lead")).await?;
        Ok(stored.and_then(|stored| Some((serde_json::from_slice(&stored.bytes).ok()?, stored.place))))
    }

    async fn write_lead(&self, lead: &Lead, after: u64) -> Result<bool, QueueError> {
        let bytes = serde_json::to_vec(&Leader { name: lead.name.clone(), key: lead.key.clone() });
        let bytes = bytes.unwrap_or_default();
        match self.put_message(self.subject("lead"), bytes, Some(expected_of_subject(after))).await {
            Ok(_) => Ok(true),
            Err(QueueError::Deposed) => Ok(false),
            Err(error) => Err(error),
        }
    }

    /// Waits for one job.
    async fn pull_job(&self, wait: Duration) -> Result<Option<JobLease>, QueueError> {
        let subject = format!("$JS.API.CONSUMER.MSG.NEXT.{}.W", self.stream("JOBS"));
        let body = if wait.is_zero() {
            json!({"batch": 1, "no_wait": true})
        } else {
            json!({"batch": 1, "expires": wait.as_nanos() as u64})
        };
        // The server answers at the end of the wait at the latest, so that no job comes to nobody. A job has the subject
        // of its stream, so the answer needs an inbox of its own.
        let message = self.ask_once(subject, Bytes::from(body.to_string()), wait + GRACE).await?;
        match (message.status, message.reply) {
            (None, Some(reply)) => {
                let job =
                    decode_job(&message.payload).map_err(|error| QueueError::Foreign(error.to_string()))?;
                self.shared.withdrawn().remove(&job.id());
                let token = reply.to_string();
                self.state().leases.insert(token.clone(), Instant::now());
                Ok(Some(JobLease { job, token }))
            }
            (Some(status), _) if status.as_u16() == 409 => {
                Err(QueueError::Away("the server has ended the request for a job".to_owned()))
            }
            _ => Ok(None),
        }
    }

    async fn acknowledge_job(&self, lease: &JobLease, word: &str) -> Result<(), QueueError> {
        self.state().leases.remove(&lease.token);
        let payload = Bytes::from(word.to_owned());
        self.client.publish(lease.token.clone(), payload).await.map_err(away)
    }

    /// Waits for reports, through a request that stays open from call to call.
    async fn pull_reports(&self, wait: Duration, at_most: usize) -> Result<Vec<Delivery>, QueueError> {
        let open = self.state().puller.take();
        let mut puller = match open {
            Some(puller) if puller.left > 0 && puller.until > Instant::now() => puller,
            other => self.open_puller(other).await?,
        };
        let (since, mut found) = (Instant::now(), Vec::new());
        while found.len() < at_most {
            let next = if found.is_empty() {
                tokio::time::timeout(wait.saturating_sub(since.elapsed()), puller.messages.next()).await.ok()
            } else {
                puller.messages.next().now_or_never()
            };
            let Some(message) = next else { break };
            let Some(message) = message else {
                return Err(QueueError::Away("the subscription has ended".to_owned()));
            };
            let Some(reply) = message.reply.as_ref().filter(|_| message.status.is_none()) else {
                // The end of the request: nothing there, or its time is over.
                puller.left = 0;
                break;
            };
            puller.left = puller.left.saturating_sub(1);
            let worker = message.subject.rsplit('.').next().unwrap_or_default().to_owned();
            let report = decode_report(&message.payload).and_then(|(report, inline)| {
                if report.worker == worker {
                    return Ok((report, inline));
                }
                let why = format!("a report of {worker} in the name of {}", report.worker);
                Err(WireError::Damaged { why })
            });
            // A job that a worker was unable to do is still at its place.
            let is_gone = |report: &WorkReport| !matches!(report.outcome, JobOutcome::Unable { .. });
            if let Some((report, _)) = report.as_ref().ok().filter(|(report, _)| is_gone(report)) {
                let mut state = self.state();
                if state.reported.len() >= MOST_REPORTED {
                    state.reported.clear();
                }
                if let Some(place) = state.places.remove(&report.job) {
                    state.reported.insert(report.job, place);
                }
            }
            found.push(Delivery { worker, report, receipt: Receipt(reply.to_string()) });
            if puller.left == 0 {
                break;
            }
        }
        self.state().puller = Some(puller);
        Ok(found)
    }

    async fn open_puller(&self, old: Option<Puller>) -> Result<Puller, QueueError> {
        let (messages, inbox) = if let Some(Puller { messages, inbox, .. }) = old {
            (messages, inbox)
        } else {
            let inbox = self.client.new_inbox();
            (self.client.subscribe(inbox.clone()).await.map_err(away)?, inbox)
        };
        self.connected()?;
        let subject = format!("$JS.API.CONSUMER.MSG.NEXT.{}.C", self.stream("REPORTS"));
        let body = json!({"batch": PULLED, "expires": PULL.as_nanos() as u64}).to_string();
        self.client.publish_with_reply(subject, inbox.clone(), body.into()).await.map_err(away)?;
        Ok(Puller { messages, inbox, left: PULLED, until: Instant::now() + PULL + Duration::from_secs(1) })
    }

    async fn put_blob(&self, bytes: &[u8]) -> Result<Digest, QueueError> {
        check_length("a blob", bytes.len() as u64, MAX_BLOB)?;
        let digest = Digest::of(bytes);
        let store = self.store().await?;
        let name = digest.to_string();
        // Any worker may write any name: other bytes under this one are written over, and the report that names them is not refused.
        let is_there = store.info(name.as_str()).await.is_ok();
        if is_there && self.get_blob(&digest, MAX_BLOB).await.is_ok_and(|stored| stored.is_some()) {
            return Ok(digest);
        }
        store.put(name.as_str(), &mut &bytes[..]).await.map_err(away)?;
        Ok(digest)
    }

    /// Reads a blob message by message. A reader of the object store makes a consumer, which the account of a worker may not:
    /// a consumer can send messages to any subject.
    async fn get_blob(&self, digest: &Digest, at_most: u64) -> Result<Option<Vec<u8>>, QueueError> {
        use async_nats::jetstream::object_store::InfoErrorKind;
        let info = match self.store().await?.info(digest.to_string()).await {
            Err(error) if error.kind() == InfoErrorKind::NotFound => return Ok(None),
            info => info.map_err(away)?,
        };
        check_length("a blob", info.size as u64, at_most.min(MOST as u64))?;
        if info.chunks > info.size / LEAST_CHUNK + 1 {
            return Err(QueueError::Foreign(format!(
                "blob {digest}: {} messages for {} bytes, and at most {} are read",
                info.chunks,
                info.size,
                info.size / LEAST_CHUNK + 1
            )));
        }
        let (store, subject) = (self.stream("BLOBS"), format!("$O.{}.C.{}", self.stream("BLOBS"), info.nuid));
        let (mut bytes, mut place) = (Vec::new(), 0);
        for _ in 0..info.chunks {
            let which = json!({"seq": place + 1, "next_by_subj": subject});
            let Some(stored) = self.stored(&format!("OBJ_{store}"), &which).await? else {
                return Err(QueueError::Foreign(format!(
                    "blob {digest}: {} bytes of {}",
                    bytes.len(),
                    info.size
                )));
            };
            place = stored.place;
            bytes.extend_from_slice(&stored.bytes);
            check_length("a blob", bytes.len() as u64, at_most.min(MOST as u64))?;
        }
        if Digest::of(&bytes) == *digest {
            Ok(Some(bytes))
        } else {
            Err(QueueError::Foreign(format!("blob {digest}: its bytes have another digest")))
        }
    }

    async fn store(&self) -> Result<async_nats::jetstream::object_store::ObjectStore, QueueError> {
        self.connected()?;
        let context = async_nats::jetstream::new(self.client.clone());
        context.get_object_store(self.stream("BLOBS")).await.map_err(away)
    }
}

fn away(error: impl std::fmt::Display) -> QueueError {
    QueueError::Away(format!("{error}"))
}

impl Queue for JetStream {
    fn term(&self) -> Duration {
        self.shared.term().unwrap_or(self.options.term)
    }

    fn control(&self) -> Result<Control, QueueError> {
        self.ensure()?;
        self.runtime.block_on(self.read_state()).map(|(state, _)| state.control)
    }

    fn set_control(&self, control: Control) -> Result<(), QueueError> {
        self.ensure()?;
        self.runtime.block_on(self.change_state(|state| state.control = control))
    }

    fn status(&self) -> Result<Option<Vec<u8>>, QueueError> {
        self.ensure()?;
        let stored =
            self.runtime.block_on(self.last(&self.stream("STATE"), &self.subject("state.status")))?;
        Ok(stored.map(|stored| stored.bytes))
    }

    fn put(&self, bytes: &[u8]) -> Result<Digest, QueueError> {
        self.ensure()?;
        self.runtime.block_on(self.put_blob(bytes))
    }

    fn get(&self, digest: &Digest, at_most: u64) -> Result<Option<Vec<u8>>, QueueError> {
        self.ensure()?;
        self.runtime.block_on(self.get_blob(digest, at_most))
    }

    fn lead(&self, name: &str) -> Result<Leading, QueueError> {
        check_name("the name of a coordinator", name)?;
        self.ensure()?;
        let lead = Lead { name: name.to_owned(), key: self.client.new_inbox() };
        self.runtime.block_on(async {
            if let Some((leader, _)) = self.leader().await? {
                return Ok(Leading::Held { by: leader.name });
            }
            if self.write_lead(&lead, 0).await? {
                return Ok(Leading::Taken(lead));
            }
            let by = self.leader().await?.map_or_else(|| "another".to_owned(), |(leader, _)| leader.name);
            Ok(Leading::Held { by })
        })
    }

    fn keep_lead(&self, lead: &Lead) -> Result<bool, QueueError> {
        self.ensure()?;
        self.runtime.block_on(async {
            match self.leader().await? {
                Some((leader, place)) if leader.key == lead.key => self.write_lead(lead, place).await,
                // Without any leader, the lead was in the memory of a server that is gone, or its term is over.
                _ => Ok(false),
            }
        })
    }

    fn resign(&self, lead: &Lead) -> Result<(), QueueError> {
        self.ensure()?;
        self.runtime.block_on(async {
            let own = self.leader().await?.filter(|(leader, _)| leader.key == lead.key);
            if let Some((_, place)) = own {
                let end = format!("STREAM.MSG.DELETE.{}", self.stream("LEAD"));
                self.api(&end, &json!({"seq": place})).await?;
            }
            Ok(())
        })
    }

    fn clear(&self) -> Result<(), QueueError> {
        self.ensure()?;
        self.runtime.block_on(self.api(&format!("STREAM.PURGE.{}", self.stream("JOBS")), &Value::Null))?;
        let mut state = self.state();
        state.places.clear();
        state.reported.clear();
        Ok(())
    }

    fn publish(&self, jobs: &[FarmJob]) -> Result<(), QueueError> {
        self.ensure()?;
        self.runtime.block_on(async {
            for job in jobs {
                let known = self.state().places.get(&job.id()).copied();
                let there = match known {
                    Some(place) => self.stored(&self.stream("JOBS"), &json!({"seq": place})).await?,
                    None => None,
                };
                if there.is_some() {
                    continue;
                }
                let place = self.put_message(self.subject("job"), encode_job(job), None).await?;
                self.state().places.insert(job.id(), place);
            }
            Ok(())
        })
    }

    fn withdraw(&self, jobs: &[FarmJobId]) -> Result<(), QueueError> {
        if jobs.is_empty() {
            return Ok(());
        }
        self.ensure()?;
        let end = format!("STREAM.MSG.DELETE.{}", self.stream("JOBS"));
        self.runtime.block_on(async {
            let mut ids = Vec::new();
            for job in jobs {
                ids.extend_from_slice(job.0.bytes());
                let places = {
                    let mut state = self.state();
                    [state.places.remove(job), state.reported.remove(job)]
                };
                for place in places.into_iter().flatten() {
                    // A job that is done meanwhile is gone already.
                    let _ = self.api(&end, &json!({"seq": place})).await;
                }
            }
            for part in ids.chunks(CANCELLED * 32) {
                self.client.publish(self.subject("cancel"), part.to_vec().into()).await.map_err(away)?;
            }
            Ok(())
        })
    }

    fn depth(&self) -> Result<Depth, QueueError> {
        self.ensure()?;
        let end = format!("CONSUMER.INFO.{}.W", self.stream("JOBS"));
        let info = self.runtime.block_on(self.api(&end, &Value::Null))?;
        let number = |name: &str| info[name].as_u64().unwrap_or(0) as usize;
        Ok(Depth {
            waiting: number("num_pending"),
            leased: number("num_ack_pending"),
            idle: number("num_waiting"),
        })
    }

    fn missing(&self, jobs: &[FarmJobId]) -> Result<Vec<FarmJobId>, QueueError> {
        self.ensure()?;
        self.runtime.block_on(async {
            let mut missing = Vec::new();
            for job in jobs {
                let place = self.state().places.get(job).copied();
                let is_there = match place {
                    Some(place) => self.stored(&self.stream("JOBS"), &json!({"seq": place})).await?.is_some(),
                    None => false,
                };
                if !is_there {
                    missing.push(*job);
                }
            }
            Ok(missing)
        })
    }

    fn epoch(&self) -> u64 {
        // Without a connection the number is the last one; the next call finds out.
        let _ = self.ensure();
        self.state().epoch
    }

    fn reports(&self, wait: Duration, at_most: usize) -> Result<Vec<Delivery>, QueueError> {
        self.ensure()?;
        self.runtime.block_on(self.pull_reports(wait, at_most))
    }

    fn acknowledge(&self, receipts: &[Receipt]) -> Result<(), QueueError> {
        if receipts.is_empty() {
            return Ok(());
        }
        self.ensure()?;
        self.runtime.block_on(async {
            for receipt in receipts {
                self.client.publish(receipt.0.clone(), "+ACK".into()).await.map_err(away)?;
            }
            tokio::time::timeout(ANSWER, self.client.flush()).await.map_err(away)?.map_err(away)
        })
    }

    fn decide(&self, lead: &Lead, at: u64, decisions: &[Vec<u8>]) -> Result<(), QueueError> {
        for decision in decisions {
            check_length("a decision", decision.len() as u64, MAX_DECISION)?;
        }
        self.ensure()?;
        self.runtime.block_on(async {
            if self.leader().await?.is_none_or(|(leader, _)| leader.key != lead.key) {
                return Err(QueueError::Deposed);
            }
            for (place, decision) in (at..).zip(decisions) {
                self.put_message(self.subject("decision"), decision.clone(), Some(expected(place))).await?;
            }
            Ok(())
        })
    }

    fn decided(&self) -> Result<u64, QueueError> {
        self.ensure()?;
        let end = format!("STREAM.INFO.{}", self.stream("DECISIONS"));
        let info = self.runtime.block_on(self.api(&end, &Value::Null))?;
        info["state"]["last_seq"].as_u64().ok_or_else(|| away("an answer without a number"))
    }

    fn decisions(&self, from: u64, at_most: usize) -> Result<Vec<Vec<u8>>, QueueError> {
        self.ensure()?;
        self.runtime.block_on(async {
            let mut found = Vec::new();
            for number in from..from.saturating_add(at_most as u64) {
                let stored = self.stored(&self.stream("DECISIONS"), &json!({"seq": number + 1})).await?;
                let Some(stored) = stored else { break };
                found.push(stored.bytes);
            }
            Ok(found)
        })
    }

    fn shut_out(&self, worker: &str) -> Result<(), QueueError> {
        self.ensure()?;
        self.runtime.block_on(self.change_state(|state| {
            if !state.shut.iter().any(|shut| shut == worker) {
                state.shut.push(worker.to_owned());
            }
        }))
    }

    fn set_status(&self, status: &[u8]) -> Result<(), QueueError> {
        check_length("a status", status.len() as u64, MAX_STATUS)?;
        self.ensure()?;
        let put = self.put_message(self.subject("state.status"), status.to_vec(), None);
        self.runtime.block_on(put).map(|_| ())
    }

    fn lease(&self, worker: &str, wait: Duration) -> Result<JobOffer, QueueError> {
        check_name("the key of a worker", worker)?;
        self.ensure()?;
        self.runtime.block_on(async {
            let since = Instant::now();
            loop {
                let (State { control, shut, .. }, _) = self.read_state().await?;
                match control {
                    Control::Cancelled | Control::Over => return Ok(JobOffer::Over),
                    Control::Running if shut.iter().any(|key| key == worker) => return Ok(JobOffer::ShutOut),
                    Control::Running => {
                        let left = wait.saturating_sub(since.elapsed());
                        return Ok(self.pull_job(left).await?.map_or(JobOffer::Nothing, JobOffer::Job));
                    }
                    Control::Paused if since.elapsed() >= wait => return Ok(JobOffer::Nothing),
                    Control::Paused => tokio::time::sleep(PAUSED.min(wait)).await,
                }
            }
        })
    }

    fn extend(&self, lease: &JobLease) -> Result<bool, QueueError> {
        let term = self.term();
        let is_held = match self.state().leases.get_mut(&lease.token) {
            Some(since) if since.elapsed() < term => {
                *since = Instant::now();
                true
            }
            _ => false,
        };
        self.connected()?;
        self.runtime.block_on(self.client.publish(lease.token.clone(), "+WPI".into())).map_err(away)?;
        Ok(is_held)
    }

    fn is_withdrawn(&self, lease: &JobLease) -> bool {
        self.shared.withdrawn().contains(&lease.job.id())
    }

    fn release(&self, lease: &JobLease) -> Result<(), QueueError> {
        self.runtime.block_on(async {
            self.acknowledge_job(lease, "-NAK").await?;
            tokio::time::timeout(ANSWER, self.client.flush()).await.map_err(away)?.map_err(away)
        })
    }

    fn report(
        &self,
        lease: Option<&JobLease>,
        report: &WorkReport,
        blobs: &[Vec<u8>],
    ) -> Result<(), QueueError> {
        self.ensure()?;
        self.runtime.block_on(async {
            let mut inline = Vec::new();
            let mut room = MAX_INLINE;
            for bytes in blobs {
                if bytes.len() <= room {
                    room -= bytes.len();
                    inline.push(&bytes[..]);
                } else {
                    self.put_blob(bytes).await?;
                }
            }
            let message = encode_report(report, &inline)?;
            // A worker that fails again at a job may say so in the same words: that is another report, under another lease.
            let token = lease.map_or("", |lease| &lease.token);
            let id = Digest::of_parts(&[&message, token.as_bytes()]).to_string();
            self.put_message(self.subject(&format!("report.{}", report.worker)), message, Some(once(&id)))
                .await?;
            if let Some(lease) = lease {
                let unable = format!("-NAK {{\"delay\": {}}}", UNABLE.as_nanos());
                let word = if matches!(report.outcome, JobOutcome::Unable { .. }) { &unable } else { "+ACK" };
                self.acknowledge_job(lease, word).await?;
            }
            Ok(())
        })
    }

    fn hint(&self, from: &str, bytes: &[u8]) -> Result<(), QueueError> {
        check_name("the sender of a hint", from)?;
        check_length("a hint", bytes.len() as u64, MAX_HINT as u64)?;
        let subject = self.subject(&format!("hint.{from}"));
        self.runtime.block_on(self.client.publish(subject, bytes.to_vec().into())).map_err(away)
    }

    fn hints(&self, after: u64) -> Result<Vec<Hint>, QueueError> {
        self.hear_hints()?;
        Ok(self.shared.hints().after(after))
    }
}
