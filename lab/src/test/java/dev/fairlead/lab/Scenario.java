package dev.fairlead.lab;

import csi.v1.Volume;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.function.BiConsumer;

/** One RPC of local-hostpath, the state before it, and the way back; all may be repeated. */
@SuppressWarnings("ImmutableEnumChecker") // the lambdas hold nothing
enum Scenario {
    CREATE_FROM_VOLUME(
            Scenario::filled,
            (client, _) -> client.create(CsiClient.request("v2", Map.of())
                    .setVolumeContentSource(CsiClient.fromVolume("v1"))
                    .build())),
    CREATE_FROM_SNAPSHOT(
            Scenario::snapshot,
            (client, _) -> client.create(CsiClient.request("v2", Map.of())
                    .setVolumeContentSource(CsiClient.fromSnapshot("v1-s1"))
                    .build())),
    SNAPSHOT(Scenario::filled, (client, _) -> client.snapshot("s1", "v1")),
    CREATE_IN_AN_EMPTY_BASE((_, fixture) -> fixture.emptyBase(), (client, _) -> client.create("v1", Map.of())),
    CREATE((_, _) -> {}, (client, _) -> client.create("v1", Map.of())),
    DELETE(Scenario::filled, (client, _) -> client.delete("v1")),
    EXPAND(Scenario::filled, (client, _) -> client.expand("v1", 1 << 21)),
    DELETE_SNAPSHOT(Scenario::snapshot, (client, _) -> client.deleteSnapshot("v1-s1")),
    STAGE(Scenario::filled, (client, fixture) -> client.stage(volume(fixture), staging(fixture))),
    PUBLISH(
            Scenario::staged,
            (client, fixture) -> client.publish(volume(fixture), staging(fixture), target(fixture), true)),
    UNPUBLISH(Scenario::published, (client, fixture) -> client.unpublish(volume(fixture), target(fixture))),
    UNSTAGE(Scenario::staged, (client, fixture) -> client.unstage(volume(fixture), staging(fixture)));

    private final BiConsumer<CsiClient, DriverFixture> prepare;
    private final BiConsumer<CsiClient, DriverFixture> act;

    Scenario(BiConsumer<CsiClient, DriverFixture> prepare, BiConsumer<CsiClient, DriverFixture> act) {
        this.prepare = prepare;
        this.act = act;
    }

    void prepare(CsiClient client, DriverFixture fixture) {
        prepare.accept(client, fixture);
    }

    void act(CsiClient client, DriverFixture fixture) {
        act.accept(client, fixture);
    }

    /**
     * Whether it needs a process that has not seen the base yet: to the others, an emptied base is storage that is
     * away.
     */
    boolean needsNewProcess() {
        return this == CREATE_IN_AN_EMPTY_BASE;
    }

    /** Takes away what any scenario has made. */
    static void reset(CsiClient client, DriverFixture fixture) {
        if (Files.exists(target(fixture))) {
            client.unpublish(volume(fixture), target(fixture));
        }
        if (Files.exists(staging(fixture))) {
            client.unstage(volume(fixture), staging(fixture));
        }
        client.delete("v2");
        client.deleteSnapshot("v1-s1");
        client.delete("v1");
    }

    private static Volume volume(CsiClient client) {
        return client.create("v1", Map.of());
    }

    /** What CreateVolume answered for it, without asking again. */
    private static Volume volume(DriverFixture fixture) {
        return Volume.newBuilder()
                .setVolumeId("v1")
                .putAllVolumeContext(Map.of(
                        "node_attach_driver",
                        "hostpath",
                        "path",
                        fixture.base().resolve("v/v1").toString(),
                        "provisioner_driver",
                        "local-hostpath"))
                .build();
    }

    private static Path staging(DriverFixture fixture) {
        return fixture.folder().resolve("node/staging");
    }

    private static Path target(DriverFixture fixture) {
        return fixture.folder().resolve("node/target");
    }

    private static void filled(CsiClient client, DriverFixture fixture) {
        Volume volume = volume(client);
        Path folder = Path.of(volume.getVolumeContextOrThrow("path"));
        try {
            Files.createDirectories(folder.resolve("deep/er"));
            Files.writeString(folder.resolve("deep/er/file"), "content\n".repeat(1000));
            Files.writeString(folder.resolve("small"), "x");
            Path link = folder.resolve("link");
            if (!Files.isSymbolicLink(link)) {
                Files.createSymbolicLink(link, Path.of("../../outside"));
            }
            Files.createDirectories(fixture.folder().resolve("node"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void snapshot(CsiClient client, DriverFixture fixture) {
        filled(client, fixture);
        client.snapshot("s1", "v1");
    }

    private static void staged(CsiClient client, DriverFixture fixture) {
        filled(client, fixture);
        client.stage(volume(fixture), staging(fixture));
    }

    private static void published(CsiClient client, DriverFixture fixture) {
        staged(client, fixture);
        client.publish(volume(fixture), staging(fixture), target(fixture), true);
    }
}
