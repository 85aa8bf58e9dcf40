//! Policies: any text is a policy or an error, and quickly so.
#![no_main]

use reticent::Policy;
use reticent::policy::PolicyFile;

libfuzzer_sys::fuzz_target!(|toml: &str| {
    let Ok(file) = PolicyFile::from_toml(toml) else { return };
    let Ok(policy) = Policy::from_file(file.clone()) else { return };
    let again = Policy::from_file(file).expect("what was a policy is one again");
    assert!(policy.fingerprint() == again.fingerprint(), "one policy has two fingerprints");
});
