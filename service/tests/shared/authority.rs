//! Certificates for tests, made when they are needed ([`Authority`]).

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use rcgen::{
    BasicConstraints, CertificateParams, CertifiedIssuer, DnType, ExtendedKeyUsagePurpose, IsCa, KeyPair,
};

/// An authority that nobody else knows.
pub(crate) struct Authority(CertifiedIssuer<'static, KeyPair>);

/// A certificate and its key, in PEM.
pub(crate) struct Certified {
    pub(crate) certificate: String,
    pub(crate) key: String,
    /// The certificate as it is shown.
    pub(crate) der: Vec<u8>,
}

impl Authority {
    pub(crate) fn new(name: &str) -> Self {
        let mut params = CertificateParams::default();
        params.distinguished_name.push(DnType::CommonName, name);
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        Self(CertifiedIssuer::self_signed(params, key()).expect("an authority signs itself"))
    }

    /// Its own certificate, in PEM.
    pub(crate) fn pem(&self) -> String {
        self.0.as_ref().pem()
    }

    /// A new certificate of a server on this machine, with a key of its own.
    pub(crate) fn server(&self) -> Certified {
        self.certify(&["localhost", "127.0.0.1"], ExtendedKeyUsagePurpose::ServerAuth)
    }

    /// A new certificate of a client.
    pub(crate) fn client(&self) -> Certified {
        self.certify(&["client.example"], ExtendedKeyUsagePurpose::ClientAuth)
    }

    fn certify(&self, names: &[&str], purpose: ExtendedKeyUsagePurpose) -> Certified {
        let names: Vec<String> = names.iter().map(|&name| name.to_owned()).collect();
        let mut params = CertificateParams::new(names).expect("names of hosts");
        params.extended_key_usages.push(purpose);
        let key = key();
        let certificate = params.signed_by(&key, &self.0).expect("an authority signs");
        let der = certificate.der().to_vec();
        Certified { certificate: certificate.pem(), key: key.serialize_pem(), der }
    }
}

fn key() -> KeyPair {
    KeyPair::generate().expect("a new key")
}

/// The files of a server's TLS, in a folder of their own.
pub(crate) struct Files {
    folder: tempfile::TempDir,
}

impl Files {
    pub(crate) fn new(certified: &Certified) -> Self {
        let files = Self { folder: tempfile::tempdir().expect("a folder for the files") };
        files.put(certified);
        files
    }

    /// Puts a certificate and its key in the place of those that are there, one after the other.
    pub(crate) fn put(&self, Certified { certificate, key, .. }: &Certified) {
        self.write("server.pem", certificate);
        self.write("server.key.pem", key);
    }

    /// Writes a file for its owner alone, in the place of one that is there.
    pub(crate) fn write(&self, name: &str, text: &str) -> PathBuf {
        let (path, new) = (self.path(name), self.path("new"));
        fs::write(&new, text).expect("the file can be written");
        self.set_mode("new", 0o600);
        fs::rename(&new, &path).expect("it takes the place of the old one");
        path
    }

    pub(crate) fn set_mode(&self, name: &str, mode: u32) {
        let mode = fs::Permissions::from_mode(mode);
        fs::set_permissions(self.path(name), mode).expect("the file is ours");
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub(crate) fn certificate(&self) -> PathBuf {
        self.path("server.pem")
    }

    pub(crate) fn key(&self) -> PathBuf {
        self.path("server.key.pem")
    }

    pub(crate) fn folder(&self) -> &Path {
        self.folder.path()
    }
}
