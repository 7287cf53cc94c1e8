package dev.fairlead.lab;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.util.function.BiConsumer;

/** One RPC of local storage, the state before it, and the way back; all may be repeated. */
@SuppressWarnings("ImmutableEnumChecker") // the lambdas hold nothing
enum Scenario {
    CREATE_FROM_VOLUME(
            Scenario::filled,
            (client, place) -> client.create(place.request("v2")
                    .setVolumeContentSource(CsiClient.fromVolume("v1"))
                    .build())),
    CREATE_FROM_SNAPSHOT(
            Scenario::snapshot,
            (client, place) -> client.create(place.request("v2")
                    .setVolumeContentSource(CsiClient.fromSnapshot("v1-s1"))
                    .build())),
    SNAPSHOT(Scenario::filled, (client, _) -> client.snapshot("s1", "v1")),
    CREATE_IN_AN_EMPTY_BASE((_, place) -> place.emptyBase(), Scenario::created),
    CREATE((_, _) -> {}, Scenario::created),
    DELETE(Scenario::filled, (client, _) -> client.delete("v1")),
    DELETE_SNAPSHOT(Scenario::snapshot, (client, _) -> client.deleteSnapshot("v1-s1")),
    STAGE(Scenario::filled, (client, place) -> client.stage(place.volume(), place.staging())),
    PUBLISH(Scenario::staged, (client, place) -> client.publish(place.volume(), place.staging(), place.target(), true)),
    UNPUBLISH(Scenario::published, (client, place) -> client.unpublish(place.volume(), place.target())),
    UNSTAGE(Scenario::staged, (client, place) -> client.unstage(place.volume(), place.staging())),
    /** On the node, to which the controller of storage that nodes have of their own leaves it. */
    EXPAND(
            Scenario::published,
            (client, place) -> client.expandOnNode(place.volume(), place.staging(), place.target(), 2 * place.bytes()));

    private final BiConsumer<CsiClient, CrashPlace> prepare;
    private final BiConsumer<CsiClient, CrashPlace> act;

    Scenario(BiConsumer<CsiClient, CrashPlace> prepare, BiConsumer<CsiClient, CrashPlace> act) {
        this.prepare = prepare;
        this.act = act;
    }

    void prepare(CsiClient client, CrashPlace place) {
        prepare.accept(client, place);
    }

    void act(CsiClient client, CrashPlace place) {
        act.accept(client, place);
    }

    /** Whether it is a call of the node, which mounts a volume, takes it off or grows it mounted. */
    boolean isOnNode() {
        return compareTo(STAGE) >= 0;
    }

    /**
     * Whether it needs a process that has not seen the base yet: to the others, an emptied base is storage that is
     * away.
     */
    boolean needsNewProcess() {
        return this == CREATE_IN_AN_EMPTY_BASE;
    }

    /** Takes away what any scenario has made. */
    static void reset(CsiClient client, CrashPlace place) {
        if (Files.exists(place.target())) {
            client.unpublish(place.volume(), place.target());
        }
        if (Files.exists(place.staging())) {
            client.unstage(place.volume(), place.staging());
        }
        client.delete("v2");
        client.deleteSnapshot("v1-s1");
        client.delete("v1");
    }

    private static void created(CsiClient client, CrashPlace place) {
        place.create(client);
    }

    private static void filled(CsiClient client, CrashPlace place) {
        place.fill(client);
    }

    private static void snapshot(CsiClient client, CrashPlace place) {
        filled(client, place);
        client.snapshot("s1", "v1");
    }

    private static void staged(CsiClient client, CrashPlace place) {
        filled(client, place);
        client.stage(place.volume(), place.staging());
        try {
            Files.writeString(place.staging().resolve("kept"), "x");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void published(CsiClient client, CrashPlace place) {
        staged(client, place);
        client.publish(place.volume(), place.staging(), place.target(), true);
    }
}
