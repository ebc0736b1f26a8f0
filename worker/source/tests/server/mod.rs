//! A small HTTP server on loopback that answers as it is told and remembers what it was asked.

use std::sync::{Arc, Mutex};

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

/// One request, as it came.
#[derive(Clone, Debug)]
pub struct Request {
    /// `/realm/a.md`
    pub target: String,
    headers: String,
}

impl Request {
    /// A header's value; empty where it was not sent.
    pub fn header(&self, name: &str) -> &str {
        let mut headers = self
            .headers
            .lines()
            .filter_map(|line| line.split_once(": "));
        headers
            .find(|(found, _)| found.eq_ignore_ascii_case(name))
            .map_or("", |(_, value)| value)
    }
}

/// What to do with a request.
pub enum Reply {
    /// Send these bytes and close.
    Raw(Vec<u8>),
    /// Send these bytes, and never more.
    Hang(Vec<u8>),
    /// Send these bytes again and again until nobody listens.
    Endless(Vec<u8>, Vec<u8>),
}

impl Reply {
    /// A complete answer.
    pub fn answer(status: u16, headers: &str, body: &str) -> Self {
        let length = body.len();
        let end = format!("connection: close\r\ncontent-length: {length}\r\n\r\n{body}");
        Self::Raw(format!("HTTP/1.1 {status} X\r\n{headers}{end}").into())
    }

    /// A redirect.
    pub fn redirect(status: u16, location: &str) -> Self {
        Self::answer(status, &format!("location: {location}\r\n"), "")
    }
}

pub struct Server {
    /// `127.0.0.1:<port>`
    pub address: String,
    requests: Arc<Mutex<Vec<Request>>>,
}

impl Server {
    pub async fn start(reply: impl Fn(&Request) -> Reply + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap().to_string();
        let requests = Arc::new(Mutex::new(Vec::new()));
        let seen = Arc::clone(&requests);
        let reply = Arc::new(reply);
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                tokio::spawn(serve(stream, Arc::clone(&seen), Arc::clone(&reply)));
            }
        });
        Self { address, requests }
    }

    pub fn requests(&self) -> Vec<Request> {
        self.requests.lock().unwrap().clone()
    }
}

async fn serve(
    mut stream: TcpStream,
    seen: Arc<Mutex<Vec<Request>>>,
    reply: Arc<impl Fn(&Request) -> Reply>,
) -> std::io::Result<()> {
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        head.push(stream.read_u8().await?);
    }
    let head = String::from_utf8(head).unwrap();
    let (line, headers) = head.split_once("\r\n").unwrap();
    let target = line.split(' ').nth(1).unwrap().to_owned();
    let request = Request {
        target,
        headers: headers.to_owned(),
    };
    seen.lock().unwrap().push(request.clone());
    match reply(&request) {
        Reply::Raw(bytes) => stream.write_all(&bytes).await,
        Reply::Hang(bytes) => {
            stream.write_all(&bytes).await?;
            std::future::pending().await
        }
        Reply::Endless(head, piece) => {
            stream.write_all(&head).await?;
            loop {
                stream.write_all(&piece).await?;
            }
        }
    }
}
