package dev.fairlead.adapter.k8s.takeover;

import com.google.gson.JsonObject;
import dev.fairlead.adapter.k8s.api.ApiAnswer;
import dev.fairlead.adapter.k8s.api.ApiCalls;
import dev.fairlead.adapter.k8s.api.ApiFailures;
import dev.fairlead.adapter.k8s.api.ApiRequest;
import dev.fairlead.adapter.k8s.takeover.OtherControllerSettings.LeaseName;
import dev.fairlead.domain.failure.Excerpt;
import dev.fairlead.http.Json;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Optional;

/**
 * Watches the Lease of another controller, and never writes it. The holder's clock is not believed: it lives if its
 * Lease changes.
 */
final class OtherLease {
    /** The number of durations for which a Lease is left to its holder. */
    private static final int FACTOR = 2;

    private static final Duration USUAL = Duration.ofSeconds(30);
    private static final int LONGEST_HOLDER = 100;
    private static final Duration LONGEST = Duration.ofMinutes(5);

    private final ApiCalls api;
    private final LeaseName name;
    private final Duration patience;
    private Optional<Claim> last = Optional.empty();
    private Instant changed = Instant.MIN;
    private boolean renewed;

    OtherLease(ApiCalls api, LeaseName name, Duration patience) {
        this.api = api;
        this.name = name;
        this.patience = patience;
    }

    /** Holds what its holder wrote; of its times only the equality counts. */
    private record Claim(String holder, String renewal, Duration duration) {
        private Duration left() {
            return duration.multipliedBy(FACTOR);
        }
    }

    /** @param now the time on a clock that never goes back */
    Optional<String> alive(Instant now) {
        Optional<Claim> claim = read();
        if (claim.isEmpty()) {
            last = claim;
            return Optional.empty();
        }
        if (!claim.equals(last)) {
            renewed = last.isPresent();
            last = claim;
            changed = now;
        }
        Duration since = Duration.between(changed, now);
        if (since.compareTo(claim.get().left()) >= 0) {
            return Optional.empty();
        }
        return Optional.of("its Lease " + name + " is held by " + shownHolder(claim.get()) + ", and "
                + (renewed
                        ? "is renewed"
                        : "it takes " + claim.get().left().toSeconds() + " s to know whether it is renewed"));
    }

    /** @param now the time on this machine's clock, which is believed here */
    Optional<String> shown(Instant now) {
        return read().filter(claim -> renewal(claim).plus(claim.left()).isAfter(now))
                .map(claim -> "its Lease " + name + " is held by " + shownHolder(claim) + ", and was renewed at "
                        + renewal(claim));
    }

    private static String shownHolder(Claim claim) {
        return Excerpt.of(claim.holder(), LONGEST_HOLDER);
    }

    private static Instant renewal(Claim claim) {
        try {
            return Instant.parse(claim.renewal());
        } catch (DateTimeParseException _) {
            return Instant.EPOCH;
        }
    }

    private Optional<Claim> read() {
        ApiRequest request = ApiRequest.get(
                name.path(), "reading the Lease " + name + " of LINSTOR's affinity controller (--old-lease)");
        return switch (api.ask(request, patience)) {
            case ApiAnswer.Done(JsonObject object) -> claim(Json.child(object, "spec"));
            case ApiAnswer.Refused refused when refused.isNotFound() -> Optional.empty();
            case ApiAnswer.Refused refused -> throw ApiFailures.refused(request.what(), refused);
        };
    }

    /** Returns what its holder wrote; empty if nobody holds it. */
    private static Optional<Claim> claim(JsonObject spec) {
        Duration asked = Json.number(spec, "leaseDurationSeconds")
                .filter(seconds -> seconds > 0)
                // A holder that asks for longer renews it less often.
                .map(seconds -> Duration.ofSeconds(Math.min(seconds, LONGEST.toSeconds())))
                .orElse(USUAL);
        return Json.text(spec, "holderIdentity")
                .filter(holder -> !holder.isEmpty())
                .map(holder -> new Claim(holder, Json.text(spec, "renewTime").orElse(""), asked));
    }
}
