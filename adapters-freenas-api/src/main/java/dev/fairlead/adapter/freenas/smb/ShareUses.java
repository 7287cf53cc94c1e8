package dev.fairlead.adapter.freenas.smb;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import dev.fairlead.adapter.freenas.client.ApiAction;
import dev.fairlead.adapter.freenas.client.ApiCall;
import dev.fairlead.adapter.freenas.client.ApiQuery;
import dev.fairlead.adapter.freenas.client.TruenasApi;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.http.Json;
import java.net.InetAddress;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Tells who uses a share now, as far as a box says so. Whoever is not known to be let in counts as somebody else, since
 * sessions that are ended needlessly come back, and one that goes on writes into a volume that another node has.
 */
record ShareUses(TruenasApi api) {
    private static final String SERVICE = "service";
    private static final String MACHINE = "machine";

    /** Says whether the box can be asked at all. */
    boolean areTold(Work work) {
        return api.has(ApiAction.SMB_STATUS, work);
    }

    /**
     * Says whether others than these hosts may use a share now. They may if the box does not say, or not in words that
     * are understood.
     */
    boolean mayBeOfOthers(SmbShareEntry share, Set<String> hosts, Work work) {
        return areOfOthers(share, hosts, work).orElse(true);
    }

    /** Says whether others than these hosts use a share now; empty if the box does not say. */
    Optional<Boolean> areOfOthers(SmbShareEntry share, Set<String> hosts, Work work) {
        // A share of home directories is used by the name of the user.
        if (Json.flag(share.options(), "home") || !areTold(work)) {
            return Optional.empty();
        }
        ApiQuery uses = ApiQuery.all()
                .where(SERVICE, "C=", new JsonPrimitive(share.name()))
                .select(SERVICE, MACHINE);
        try {
            JsonElement answer = api.query(ApiCall.smbShareUses(uses), work).orThrow();
            if (!answer.isJsonArray()) {
                return Optional.empty();
            }
            Set<InetAddress> allowed =
                    hosts.stream().flatMap(host -> address(host).stream()).collect(Collectors.toSet());
            return Optional.of(answer.getAsJsonArray().asList().stream()
                    .anyMatch(use -> !use.isJsonObject() || isOfOther(use.getAsJsonObject(), share, allowed)));
        } catch (StorageException _) {
            work.checkEnding();
            return Optional.empty();
        }
    }

    private static boolean isOfOther(JsonObject use, SmbShareEntry share, Set<InetAddress> allowed) {
        boolean anotherShare = Json.text(use, SERVICE)
                .filter(name -> !name.equalsIgnoreCase(share.name()))
                .isPresent();
        return !anotherShare
                && Json.text(use, MACHINE)
                        .flatMap(ShareUses::address)
                        .filter(allowed::contains)
                        .isEmpty();
    }

    /** Returns an address in whatever spelling: one of IPv4 that is mapped into IPv6 is that of IPv4. */
    private static Optional<InetAddress> address(String text) {
        try {
            return Optional.of(InetAddress.ofLiteral(text));
        } catch (IllegalArgumentException _) {
            return Optional.empty(); // a name
        }
    }
}
