package dev.fairlead.adapter.k8s.api;

import dev.fairlead.application.port.work.Backoff;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.http.HttpClient;
import java.time.Duration;

/** Asks the API server, again if that is safe. */
public final class ApiClient implements ApiCalls {
    private final HttpClient<ApiAnswer> http;

    public ApiClient(KubernetesSettings settings, Backoff backoff) {
        this.http = new HttpClient<>("kubernetes", settings.http(), Replies::of, new ApiFailures(), backoff);
    }

    /**
     * Asks the server and returns its final answer, repeating the request if that is safe.
     *
     * @throws StorageException {@code ClusterUnavailable} if there was no such answer in time, or
     *     {@code ClusterUnintelligible} if it was not the API that answered
     */
    @Override
    public ApiAnswer ask(ApiRequest request, Duration patience) {
        return http.ask(request.http(), patience);
    }

    /** Lets go of idle connections, and of the threads that watch them. */
    public void idle() {
        http.idle();
    }
}
