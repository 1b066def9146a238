//! The OAuth 2.1 authorization server.
//!
//! OAuth 2.1 (draft-ietf-oauth-v2-1) with dynamic registration (RFC 7591), PKCE by S256 alone (RFC 7636), resource
//! indicators (RFC 8707), the issuer in the response (RFC 9207), access tokens as JWT (RFC 9068) and
//! revocation (RFC 7009), by the security practice of RFC 9700.

pub mod client;
pub mod client_book;
pub mod error;
pub mod handle;
pub mod key_ring;
pub mod limits;
pub mod parameters;
pub mod pkce;
pub mod redirect_uri;
pub mod resource;
pub mod scope;
pub mod server;
pub mod signing;
pub mod store;
pub mod token;
