package dev.fairlead.adapter.k8s.api;

import com.google.gson.JsonObject;
import dev.fairlead.application.port.work.Backoff;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.http.HttpClient;
import dev.fairlead.http.Json;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;

/** Asks the API server, again if that is safe. */
public final class ApiClient implements ApiCalls {
    private final HttpClient<Optional<ApiAnswer>> http;
    private final ApiFailures failures = new ApiFailures();
    private final int most;

    public ApiClient(KubernetesSettings settings, Backoff backoff) {
        this.http = new HttpClient<>("kubernetes", settings.http(), Replies::of, failures, backoff);
        this.most = settings.http().maxBytes();
    }

    /**
     * Asks the server and returns its final answer, repeating the request if that is safe.
     *
     * @throws StorageException {@code ClusterUnavailable} if there was no such answer in time, or
     *     {@code ClusterUnintelligible} if it was not the API that answered
     */
    @Override
    public ApiAnswer ask(ApiRequest request, Duration patience) {
        return askForPage(request, patience).orElseThrow(() -> tooLong(request));
    }

    /** Asks the server in the same way, and returns nothing if the answer is longer than what is read of one. */
    Optional<ApiAnswer> askForPage(ApiRequest request, Duration patience) {
        return http.ask(request.http(), patience);
    }

    private StorageException tooLong(ApiRequest request) {
        return new StorageException(
                failures.unintelligible(request.what(), "an answer of more than " + most + " bytes"));
    }

    /**
     * Reads the events of a watch for as long as it lasts.
     *
     * @param patience the longest time that it may last
     * @return the refusal if the server does not begin it
     * @throws StorageException {@code ClusterUnavailable} if it broke off, or {@code ClusterUnintelligible} if an event
     *     is no JSON object
     */
    public Optional<ApiAnswer.Refused> watch(ApiRequest request, Duration patience, Consumer<JsonObject> each) {
        Consumer<String> line = text -> each.accept(Json.object(text)
                .orElseThrow(() -> new StorageException(
                        new Failure.ClusterUnintelligible(request.what(), "a line that is no JSON object"))));
        return http.lines(request.http(), patience, line).map(answer -> switch (answer.orElseThrow(
                () -> tooLong(request))) {
            case ApiAnswer.Refused refused -> refused;
            case ApiAnswer.Done _ ->
                throw new StorageException(
                        new Failure.ClusterUnintelligible(request.what(), "an object in place of events"));
        });
    }

    /** Lets go of idle connections, and of the threads that watch them. */
    public void idle() {
        http.idle();
    }
}
