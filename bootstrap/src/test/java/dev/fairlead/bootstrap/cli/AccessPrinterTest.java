package dev.fairlead.bootstrap.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.application.port.out.AccessReview.RoleGrant;
import dev.fairlead.bootstrap.check.AccessReport;
import dev.fairlead.bootstrap.check.AccessReport.ConnectionAccess;
import java.io.PrintStream;
import java.util.List;
import org.junit.jupiter.api.Test;

/** How the roles of connections are shown. */
class AccessPrinterTest {
    private static final AccessReport REPORT = new AccessReport(List.of(
            new ConnectionAccess(
                    "nas",
                    "TrueNAS-25.10.0 as user csi",
                    List.of(
                            new RoleGrant("DATASET_WRITE", "volumes", true, false),
                            new RoleGrant("SNAPSHOT_DELETE", "snapshots", false, false),
                            new RoleGrant("REPLICATION_TASK_WRITE", "copies", false, true)),
                    List.of("midclt call \"x\""),
                    List.of("the NFS service is off"),
                    ""),
            new ConnectionAccess("gone", "", List.of(), List.of(), List.of(), "no answer within 60 s")));

    @Test
    void a_person_sees_a_table_in_colours() {
        String text = new AccessPrinter(terminal(true)).text(REPORT);

        assertThat(text)
                .contains(
                        "\u001b[1;31mmissing  \u001b[0mSNAPSHOT_DELETE         \u001b[2msnapshots",
                        "\u001b[33mhas not  \u001b[0mREPL")
                .contains("\u001b[32mhas      \u001b[0mDATASET_WRITE           \u001b[2mvolumes")
                .contains("\u001b[33mwarning  \u001b[0mthe NFS service is off\n")
                .contains("midclt call \"x\"\n")
                .contains("not asked")
                .contains("no answer within 60 s");
    }

    @Test
    void a_program_gets_a_list() {
        assertThat(AccessPrinter.json(REPORT))
                .isEqualTo("[{\"name\":\"nas\",\"who\":\"TrueNAS-25.10.0 as user csi\",\"trouble\":\"\",\"roles\":["
                        + "{\"role\":\"DATASET_WRITE\",\"purpose\":\"volumes\",\"granted\":true,\"optional\":false},"
                        + "{\"role\":\"SNAPSHOT_DELETE\",\"purpose\":\"snapshots\",\"granted\":false,\"optional\":false},"
                        + "{\"role\":\"REPLICATION_TASK_WRITE\",\"purpose\":\"copies\",\"granted\":false,\"optional\":true}],"
                        + "\"remedies\":[\"midclt call \\\"x\\\"\"],\"warnings\":[\"the NFS service is off\"]},"
                        + "{\"name\":\"gone\",\"who\":\"\",\"trouble\":\"no answer within 60 s\",\"roles\":[],"
                        + "\"remedies\":[],\"warnings\":[]}]");
        assertThat(REPORT.lacks()).isTrue();
        assertThat(REPORT.isIncomplete()).isTrue();
    }

    private static Terminal terminal(boolean color) {
        return new Terminal(
                new PrintStream(PrintStream.nullOutputStream()),
                new PrintStream(PrintStream.nullOutputStream()),
                true,
                color);
    }
}
