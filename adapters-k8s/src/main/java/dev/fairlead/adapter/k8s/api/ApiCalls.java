package dev.fairlead.adapter.k8s.api;

import java.time.Duration;

/** Takes requests to the API server. */
public interface ApiCalls {
    /**
     * Asks the server and returns its final answer, repeating the request if that is safe.
     *
     * @throws dev.fairlead.domain.failure.StorageException {@code ClusterUnavailable} if there was no such answer in
     *     time, so that a change may have been made or not, or {@code ClusterUnintelligible} if it was not the API that
     *     answered
     */
    ApiAnswer ask(ApiRequest request, Duration patience);
}
