package dev.fairlead.http.trust;

/** Holds the certificate by which this process shows who it is: its chain and its key, in PEM. */
public record ClientCertificate(Material chain, Material key) {}
