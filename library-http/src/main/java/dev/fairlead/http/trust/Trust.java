package dev.fairlead.http.trust;

import java.util.Set;

/** Says which servers are believed. */
public sealed interface Trust {
    /** Believes those whose certificate one of the system's roots has signed. */
    record SystemRoots() implements Trust {}

    /**
     * Believes those whose certificate one of these roots has signed.
     *
     * @param pem certificates in PEM
     */
    record Roots(Material pem) implements Trust {}

    /**
     * Believes a server that shows one of these very certificates, whoever signed it and whatever name it bears: for an
     * appliance that made its certificate itself.
     */
    record Pins(Set<CertificatePin> certificates) implements Trust {
        public Pins {
            certificates = Set.copyOf(certificates);
        }
    }

    /** Believes any; only if the configuration asks for it by an explicit word. */
    record Anything() implements Trust {}
}
