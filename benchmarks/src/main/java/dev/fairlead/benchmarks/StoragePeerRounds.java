package dev.fairlead.benchmarks;

import dev.fairlead.benchmarks.measured.Cell;
import dev.fairlead.benchmarks.measured.Results;
import dev.fairlead.benchmarks.measured.Sample;
import dev.fairlead.lab.CsiClient;
import dev.fairlead.lab.DriverProcess;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;

/**
 * Measures Fairlead and democratic-csi by turns over SSH to the storage host of the lab, each as a process with the
 * same file that has the host to itself.
 */
final class StoragePeerRounds {
    static final List<String> TYPES = List.of("zfs-generic-nfs", "zfs-generic-iscsi");
    static final List<String> OPERATIONS = List.of("CreateVolume", "CreateSnapshot", "DeleteSnapshot", "DeleteVolume");
    static final int[] CALLERS = {1, 8};

    private static final PrintStream OUT = System.out;
    private static final Duration PATIENCE = Duration.ofMinutes(10);
    private static final String EXPORTS = """
            nfs:
              shareHost: 127.0.0.1
              shareStrategy: setDatasetProperties
              shareStrategySetDatasetProperties:
                properties:
                  sharenfs: "rw,no_subtree_check,no_root_squash"
            iscsi:
              targetPortal: 127.0.0.1:3260
              shareStrategy: targetCli
              shareStrategyTargetCli:
                basename: iqn.2003-01.org.example.bench
                tpg:
                  attributes: {authentication: 0, generate_node_acls: 1}
            """;

    private final Commands commands;
    private final Path peer;
    private final String sshConnection;
    private final Results results;
    private int serial;

    /** @param sshConnection the content of the file's block {@code sshConnection}, indented by two spaces */
    StoragePeerRounds(Commands commands, Path peer, String sshConnection, Results results) {
        this.commands = commands;
        this.peer = peer;
        this.sshConnection = sshConnection;
        this.results = results;
    }

    static String subject(String who, String type) {
        return who + ", " + type;
    }

    /** @param calls calls how many calls there are of each kind, or twice as many as callers if that is more */
    void round(int round, int calls) throws Exception {
        List<String> order = new ArrayList<>(List.of(PeerRounds.FAIRLEAD, PeerRounds.PEER));
        if (round % 2 == 0) {
            Collections.reverse(order);
        }
        for (String type : TYPES) {
            for (String who : order) {
                OUT.printf("  %s%n", subject(who, type));
                load(who, type, calls);
            }
        }
    }

    private void load(String who, String type, int calls) throws Exception {
        Path work = Files.createTempDirectory("storage-peer");
        Path socket = work.resolve("csi.sock");
        Path file = file(work, type);
        List<String> modes = List.of("controller");
        List<String> command = who.equals(PeerRounds.PEER)
                ? Commands.peer(peer, file, socket, modes)
                : commands.ours(file, socket, modes);
        try (DriverProcess server =
                        DriverProcess.start(command, Commands.ENVIRONMENT, socket, work.resolve("server.log"));
                CsiClient client = new CsiClient(server.socket(), PATIENCE)) {
            calls(client, new Results(), subject(who, type), 1, 2); // opens the SSH session
            for (int callers : CALLERS) {
                calls(client, results, subject(who, type), callers, Math.max(calls, 2 * callers));
            }
        }
    }

    private void calls(CsiClient client, Results into, String subject, int callers, int count) throws Exception {
        int run = serial++;
        String[] volumes = new String[count];
        String[] snapshots = new String[count];
        add(
                into,
                subject,
                "CreateVolume",
                callers,
                Load.run(
                        callers,
                        count,
                        i -> volumes[i] = client.create("pvc-p-%d-%d".formatted(run, i), Map.of())
                                .getVolumeId()));
        add(
                into,
                subject,
                "CreateSnapshot",
                callers,
                Load.run(
                        callers,
                        count,
                        i -> snapshots[i] = client.snapshot("snap-p-%d-%d".formatted(run, i), volumes[i])
                                .getSnapshotId()));
        add(
                into,
                subject,
                "DeleteSnapshot",
                callers,
                Load.run(callers, count, i -> client.deleteSnapshot(snapshots[i])));
        add(into, subject, "DeleteVolume", callers, Load.run(callers, count, i -> client.delete(volumes[i])));
    }

    private static void add(Results into, String subject, String operation, int callers, Sample sample) {
        into.add(new Cell(subject, operation, callers), sample);
        OUT.printf("    %-16s @%d %9.1f ms, %7.2f a second%n", operation, callers, sample.p50(), sample.rate());
    }

    private Path file(Path work, String type) throws IOException {
        return Files.writeString(work.resolve("driver.yaml"), """
                driver: %s
                sshConnection:
                %szfs:
                  datasetParentName: tank/bench/v
                  detachedSnapshotsDatasetParentName: tank/bench/s
                  datasetEnableQuotas: true
                  datasetEnableReservation: false
                  datasetPermissionsMode: "0777"
                  datasetPermissionsUser: 0
                  datasetPermissionsGroup: 0
                %s""".formatted(type, sshConnection, EXPORTS));
    }
}
