package dev.fairlead.adapter.k8s.api;

import dev.fairlead.domain.failure.Excerpt;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.http.HttpFailures;

/** Describes what went wrong with the API server in words that say what to do. */
public final class ApiFailures implements HttpFailures {
    /** The greatest length of a message of the API, which names the object, the user and the verb. */
    static final int LONGEST = 400;

    public static StorageException refused(String what, ApiAnswer.Refused refused) {
        String said = refused.message().isEmpty() ? refused.reason() : Excerpt.of(refused.message(), LONGEST);
        String remedy = switch (refused.status()) {
            case 401 -> "; its token or certificate is not accepted";
            case 403 -> "; let its role allow this (docs/errors/FL-KUBE-002.md)";
            default -> "";
        };
        return new StorageException(
                new Failure.ClusterRefused(what, "status " + refused.status() + ", " + said + remedy));
    }

    @Override
    public Failure unavailable(String what, String detail) {
        return new Failure.ClusterUnavailable(what, detail);
    }

    @Override
    public Failure unintelligible(String what, String detail) {
        return new Failure.ClusterUnintelligible(what, detail);
    }

    @Override
    public Failure unusable(Part part, String detail) {
        String doing = switch (part) {
            case ADDRESS -> "finding the API server";
            case CREDENTIAL -> "reading the token for Kubernetes";
            case ROOTS -> "reading the roots of the API server";
            case CLIENT_CERTIFICATE -> "reading the client's certificate for the API server";
        };
        return new Failure.NodeFault(doing, detail);
    }
}
