package dev.fairlead.adapter.k8s.election;

import com.google.gson.JsonObject;
import dev.fairlead.http.Json;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Optional;

/**
 * Holds a Lease object as the server gave it; fields that are not named here go back to it unchanged.
 *
 * @param version the resource version of the object; an update of any but the newest is refused
 * @param claim what its holder wrote; a change of it shows the others that the holder lives
 */
record Lease(JsonObject object, String version, Claim claim) {
    private static final DateTimeFormatter MICROS =
            DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSSSSS'Z'").withZone(ZoneOffset.UTC);

    /**
     * Holds the fields of the election.
     *
     * @param holder the identity of the holder; empty if nobody holds it
     * @param acquired as written: another's clock is not believed, so its times are only compared for equality
     */
    record Claim(String holder, long seconds, String acquired, String renewed, long transitions) {
        boolean isFree() {
            return holder.isEmpty();
        }
    }

    /** Returns the lease in this object; empty if the object is none. */
    static Optional<Lease> of(JsonObject object) {
        Optional<String> version = Json.text(Json.child(object, "metadata"), "resourceVersion");
        boolean isLease = Json.text(object, "kind").filter("Lease"::equals).isPresent();
        JsonObject spec = Json.child(object, "spec");
        return version.filter(_ -> isLease)
                .map(known -> new Lease(
                        object,
                        known,
                        new Claim(
                                Json.text(spec, "holderIdentity").orElse(""),
                                Json.number(spec, "leaseDurationSeconds").orElse(0L),
                                Json.text(spec, "acquireTime").orElse(""),
                                Json.text(spec, "renewTime").orElse(""),
                                Json.number(spec, "leaseTransitions").orElse(0L))));
    }

    /** Returns how long others wait for its holder, as the holder asked; the fallback if it did not say. */
    Duration duration(Duration fallback) {
        return claim.seconds() > 0 ? Duration.ofSeconds(claim.seconds()) : fallback;
    }

    static Claim born(String holder, Duration lease, Instant now) {
        return new Claim(holder, seconds(lease), MICROS.format(now), MICROS.format(now), 0);
    }

    Claim taken(String holder, Duration lease, Instant now) {
        return new Claim(holder, seconds(lease), MICROS.format(now), MICROS.format(now), claim.transitions() + 1);
    }

    Claim renewed(Duration lease, Instant now) {
        return new Claim(claim.holder(), seconds(lease), claim.acquired(), MICROS.format(now), claim.transitions());
    }

    /** Returns a claim without a holder; it lasts one second, since a length is required, and nobody has to wait. */
    Claim released(Instant now) {
        return new Claim("", 1, MICROS.format(now), MICROS.format(now), claim.transitions());
    }

    private static long seconds(Duration lease) {
        return Math.max(1, lease.plusMillis(999).toSeconds());
    }
}
