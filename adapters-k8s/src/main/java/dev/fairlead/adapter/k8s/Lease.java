package dev.fairlead.adapter.k8s;

import com.google.gson.JsonObject;
import dev.fairlead.http.Json;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Optional;

/**
 * A Lease object as the server gave it; what is not named here goes back to it unchanged.
 *
 * @param version of the object; an update of any but the newest is refused
 * @param claim what its holder wrote: whoever watches it sees by a change of this that the holder lives
 */
record Lease(JsonObject object, String version, Claim claim) {
    private static final DateTimeFormatter MICROS =
            DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSSSSS'Z'").withZone(ZoneOffset.UTC);

    /**
     * The fields of the election.
     *
     * @param holder empty where nobody holds it
     * @param acquired as written: another's clock is not believed, so its times are only compared for equality
     */
    record Claim(String holder, long seconds, String acquired, String renewed, long transitions) {
        boolean isFree() {
            return holder.isEmpty();
        }
    }

    /** The lease in this object; empty where it is none. */
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

    /** How long others wait for its holder, as it asked for itself. */
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

    /** A second's length, since a length is wanted, and nobody has to wait. */
    Claim released(Instant now) {
        return new Claim("", 1, MICROS.format(now), MICROS.format(now), claim.transitions());
    }

    private static long seconds(Duration lease) {
        return Math.max(1, lease.plusMillis(999).toSeconds());
    }
}
