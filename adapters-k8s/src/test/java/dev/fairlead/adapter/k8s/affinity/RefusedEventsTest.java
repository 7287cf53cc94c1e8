package dev.fairlead.adapter.k8s.affinity;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.adapter.k8s.api.ApiAnswer;
import dev.fairlead.adapter.k8s.api.ApiCalls;
import dev.fairlead.adapter.k8s.event.Budget;
import dev.fairlead.adapter.k8s.event.EventQueue;
import dev.fairlead.application.port.out.placement.ChangeOutcome;
import dev.fairlead.application.port.out.placement.ChangeOutcome.Result;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import org.junit.jupiter.api.Test;

/** What becomes of events that the API server refuses. */
class RefusedEventsTest {
    private static final String OF_VOLUME = "api/v1/namespaces/default/events/";
    private static final String OF_CLAIM = "api/v1/namespaces/apps/events/";

    private final SimulatedApi api = new SimulatedApi();

    RefusedEventsTest() {
        SimulatedVolumes.add(api, 1);
    }

    @Test
    void what_the_server_refuses_is_dropped_and_the_event_of_the_claim_is_tried_all_the_same() {
        ApiCalls refusing = (request, patience) -> OF_VOLUME.equals(String.join("/", request.path()) + "/")
                ? new ApiAnswer.Refused(403, "Forbidden", "not here")
                : api.ask(request, patience);
        Budget many = new Budget(100, Duration.ofHours(1), InstantSource.system());
        EventQueue queue = new EventQueue(Thread.ofVirtual().factory());
        try (AffinityEvents refused = new AffinityEvents(refusing, queue, many, many, () -> Instant.EPOCH)) {
            refused.ended(new ChangeOutcome("pvc-1", Result.REPLACED, "done"));
        }

        assertThat(queue.dropped()).isEqualTo(1);
        assertThat(api.paths(OF_CLAIM)).hasSize(1);
    }
}
