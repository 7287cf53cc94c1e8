package dev.fairlead.adapter.k8s.takeover;

import com.google.gson.JsonObject;
import dev.fairlead.adapter.k8s.api.ApiCalls;
import dev.fairlead.adapter.k8s.event.EventRecord;
import dev.fairlead.adapter.k8s.takeover.OtherControllerSettings.LeaseName;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Records {@code v1} events that nothing is changed while another controller lives, and that changes go on: on that
 * controller's Lease, and on the CSIDriver if no Lease is known.
 */
public final class OtherControllerEvents {
    private static final Logger log = LoggerFactory.getLogger(OtherControllerEvents.class);
    private static final Duration PATIENCE = Duration.ofSeconds(5);
    private static final String COMPONENT = "fairlead-affinity";

    /** Servers forget events after an hour. */
    private static final Duration AGAIN = Duration.ofMinutes(30);

    private final ApiCalls api;
    private final Optional<LeaseName> lease;
    private final String driver;
    private final InstantSource wall;
    private boolean alive;
    private Instant told = Instant.MIN;

    /** @param driver the CSI driver of the volumes that both change */
    public OtherControllerEvents(ApiCalls api, Optional<LeaseName> lease, String driver, InstantSource wall) {
        this.api = api;
        this.lease = lease;
        this.driver = driver;
        this.wall = wall;
    }

    synchronized void tell(Optional<String> sign) {
        Instant now = wall.instant();
        boolean flips = sign.isPresent() != alive;
        boolean again = sign.isPresent() && Duration.between(told, now).compareTo(AGAIN) >= 0;
        if (!flips && !again) {
            return;
        }
        alive = sign.isPresent();
        told = now;
        if (sign.isPresent()) {
            Failure failure = new Failure.OtherControllerAlive(sign.get());
            log.atWarn().addKeyValue("code", failure.code()).log(failure.message());
            record("VolumeAffinityStopped", true, failure.code() + " " + failure.message());
        } else {
            String text = "nothing shows any more that LINSTOR's affinity controller lives; changes go on";
            log.info(text);
            record("VolumeAffinityGoesOn", false, text);
        }
    }

    private void record(String reason, boolean warning, String message) {
        var event = new EventRecord(COMPONENT, about(), warning, reason, EventRecord.onOneLine(message));
        String namespace = lease.map(LeaseName::namespace).orElse("default");
        try {
            api.ask(event.request(namespace, wall.instant()), PATIENCE);
        } catch (StorageException e) {
            log.atDebug().addKeyValue("reason", e.failure().message()).log("an event was not recorded");
        }
    }

    private JsonObject about() {
        return lease.map(one -> EventRecord.about("coordination.k8s.io/v1", "Lease", one.namespace(), one.name(), ""))
                .orElseGet(() -> EventRecord.about("storage.k8s.io/v1", "CSIDriver", driver, ""));
    }
}
