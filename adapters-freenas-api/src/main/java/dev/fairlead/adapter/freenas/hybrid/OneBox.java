package dev.fairlead.adapter.freenas.hybrid;

import com.google.gson.JsonObject;
import dev.fairlead.adapter.freenas.client.ApiCollection;
import dev.fairlead.adapter.freenas.client.ApiQuery;
import dev.fairlead.adapter.freenas.client.TruenasApi;
import dev.fairlead.application.port.out.host.Command;
import dev.fairlead.application.port.out.host.CommandRunner;
import dev.fairlead.application.port.out.host.StorageHost;
import dev.fairlead.application.port.work.Effect;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.http.Json;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes sure that the host that is reached by SSH and the box that is reached by the API are one: both have to show the
 * same guid for a pool. With a replica that has the same names, the wrong volume would be shared.
 */
public final class OneBox {
    /** The time after which they are compared again, since both may have been led elsewhere by a name. */
    static final Duration VALID = Duration.ofMinutes(5);

    /** The time after which SSH that told nothing is asked again: it may be back, and lead elsewhere. */
    static final Duration UNTOLD = Duration.ofSeconds(30);

    private static final Logger log = LoggerFactory.getLogger(OneBox.class);
    private static final Duration PATIENCE = Duration.ofSeconds(15);

    private final InstantSource clock;
    private final SharedQuestion<BoxAddresses> comparisons = new SharedQuestion<>();
    private final ConcurrentMap<BoxAddresses, Instant> validUntil = new ConcurrentHashMap<>();
    private final ConcurrentMap<BoxAddresses, Failure> differing = new ConcurrentHashMap<>();

    /** @param clock counts from any moment, and is set by nobody */
    public OneBox(InstantSource clock) {
        this.clock = clock;
    }

    /**
     * Names what is compared.
     *
     * @param ssh the host and port by SSH
     * @param api the host and port of the API
     * @param pool the pool of the connection's parent dataset
     * @param zpool the program and what precedes it
     */
    record BoxAddresses(String connection, String ssh, String api, String pool, List<String> zpool) {
        BoxAddresses {
            zpool = List.copyOf(zpool);
        }
    }

    /** Says how long what one of the two has told holds, and the guid if it told one. */
    private record Told(Optional<String> guid, Duration holds) {
        static Told guid(String guid) {
            return new Told(Optional.of(guid), VALID);
        }

        static Told nothing(Duration holds) {
            return new Told(Optional.empty(), holds);
        }
    }

    /**
     * Compares them, unless that was done within the last minutes. Callers who come at the same time ask once.
     *
     * @throws StorageException {@code ConnectionBroken} if they are two; if that cannot be found out, a warning is
     *     logged, and what was found out last holds until the next time: they are taken for one if nothing was. The
     *     next time is soon if SSH did not answer, and as late as otherwise if a role or program is missing
     */
    void require(BoxAddresses addresses, StorageHost host, TruenasApi api, Work work) {
        if (!isCompared(addresses)) {
            comparisons.ask(addresses, () -> compare(addresses, host, api, work), work);
        }
    }

    private boolean isCompared(BoxAddresses addresses) {
        return Optional.ofNullable(validUntil.get(addresses))
                .filter(end -> end.isAfter(clock.instant()))
                .isPresent();
    }

    private void compare(BoxAddresses addresses, StorageHost host, TruenasApi api, Work work) {
        if (isCompared(addresses)) {
            return; // another caller's question ended in this moment
        }
        Instant began = clock.instant();
        Optional<String> byApi = byApi(addresses, api, work);
        Told bySsh = byApi.isPresent() ? bySsh(addresses, host, work) : Told.nothing(VALID);
        if (bySsh.guid().isPresent()) {
            if (bySsh.guid().equals(byApi)) {
                differing.remove(addresses);
            } else {
                differing.put(addresses, different(addresses, bySsh.guid().get(), byApi.orElse("")));
            }
        }
        Failure known = differing.get(addresses);
        if (known != null) {
            throw new StorageException(known);
        }
        // SSH that does not answer takes a while to do so: from the end on, or callers would do nothing but ask.
        Instant from = bySsh.guid().isPresent() ? began : clock.instant();
        validUntil.put(addresses, from.plus(bySsh.holds()));
    }

    private static Failure different(BoxAddresses addresses, String bySsh, String byApi) {
        return new Failure.ConnectionBroken(
                addresses.connection(),
                List.of("sshConnection (" + addresses.ssh() + ") and httpConnection (" + addresses.api()
                        + ") lead to two boxes: the pool " + addresses.pool() + " has the guid " + bySsh
                        + " by SSH and " + byApi + " by the API, so nothing was shared or withdrawn; write the same"
                        + " box into both"));
    }

    private Optional<String> byApi(BoxAddresses addresses, TruenasApi api, Work work) {
        try {
            List<JsonObject> pools = api.list(ApiCollection.POOL, ApiQuery.of("name", addresses.pool()), work);
            Optional<String> guid = pools.stream()
                    .flatMap(row -> Json.text(row, "guid").stream())
                    .filter(OneBox::isGuid)
                    .findFirst();
            if (guid.isEmpty()) {
                warn(addresses, "the API shows no pool " + addresses.pool() + " with a guid");
            }
            return guid;
        } catch (StorageException e) {
            if (e.failure() instanceof Failure.RoleMissing) {
                warn(addresses, "the API's user may not read pools: give it the role POOL_READ");
                return Optional.empty();
            }
            throw e; // the call that is to follow would fail as well
        }
    }

    private Told bySsh(BoxAddresses addresses, StorageHost host, Work work) {
        List<String> argv = new ArrayList<>(addresses.zpool());
        argv.addAll(List.of("get", "-Hp", "-o", "value", "guid", addresses.pool()));
        try {
            CommandRunner.Ended ended = host.runner()
                    .run(
                            Command.of(new Effect("zpool get", addresses.pool()), argv)
                                    .within(PATIENCE),
                            work);
            String said = ended.output().strip();
            if (ended.succeeded() && isGuid(said)) {
                return Told.guid(said);
            }
            warn(addresses, "zpool does not tell the guid of " + addresses.pool() + ": " + ended.trouble());
            return Told.nothing(isMissing(ended) ? VALID : UNTOLD);
        } catch (StorageException e) {
            if (e.failure() instanceof Failure.Cancelled) {
                throw e;
            }
            work.checkEnding();
            warn(
                    addresses,
                    "SSH does not tell the guid of " + addresses.pool() + ": "
                            + e.failure().message());
            return Told.nothing(UNTOLD);
        }
    }

    /** Says whether a shell did not find the program or may not run it, which time does not change. */
    private static boolean isMissing(CommandRunner.Ended ended) {
        return ended.exitCode() == 126 || ended.exitCode() == 127;
    }

    private static boolean isGuid(String text) {
        return text.matches("[0-9]{1,20}");
    }

    private static void warn(BoxAddresses addresses, String why) {
        log.atWarn()
                .addKeyValue("connection", addresses.connection())
                .addKeyValue("reason", why)
                .log("nobody knows whether SSH and API lead to one box");
    }
}
