package dev.fairlead.simulator;

import static dev.fairlead.simulator.engine.JsonTools.array;
import static dev.fairlead.simulator.engine.JsonTools.object;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.fairlead.simulator.failure.RowsRead;
import dev.fairlead.simulator.profile.Profile;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a query costs: a box of four datasets, two of them with three snapshots each. */
class RowsReadTest {
    @TempDir
    private Path folder = Path.of("/nowhere");

    private static void fill(Simulator box) {
        for (String name : List.of("tank/a", "tank/a/b", "tank/c")) {
            box.call("pool.dataset.create", array(object("name", name)));
        }
        String space = box.profile().since(Profile.V25_10_0) ? "pool" : "zfs";
        for (String dataset : List.of("tank/a/b", "tank/c")) {
            for (String name : List.of("x", "y", "z")) {
                box.call(space + ".snapshot.create", array(object("dataset", dataset, "name", name)));
            }
        }
    }

    private static JsonElement asked(Simulator box, String method, String filters, String options) {
        box.clearCalls();
        JsonArray arguments = array(JsonParser.parseString(filters.replace('\'', '"')));
        if (!options.isEmpty()) {
            arguments.add(JsonParser.parseString(options.replace('\'', '"')));
        }
        return box.call(method, arguments);
    }

    private static String read(Simulator box) {
        RowsRead read = box.calls().getLast().read();
        return read.snapshots() + " " + read.names();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                // one name is looked up; any other filter, or two of them, has all read first
                "25.04 | [['id','=','tank/c@x']] | {} | 1 | 1 0",
                "25.04 | [['id','=','tank/c@x'],['pool','=','tank']] | {} | 1 | 6 0",
                "25.04 | [['dataset','=','tank/c']] | {} | 3 | 6 0",
                "25.10 | [['dataset','^','tank/a']] | {'limit':1} | 1 | 6 0",
                "25.10 | [['dataset','^','tank/a']] | {'extra':{'properties':['createtxg'],'holds':true}} | 3 | 0 6",
                "25.10 | [['dataset','=','tank/c']] | {'select':['name']} | 3 | 0 3",
                "24.10 | [['dataset','=','tank/c'],['name','>','tank/c@x']] | {'select':['name'],'limit':1} | 1 | 0 3",
                "25.10 | [['snapshot_name','=','x']] | {'select':['name']} | 2 | 6 0",
                "25.10 | [['pool','=','tank']] | {'select':['name']} | 6 | 0 6",
                "13.0 | [['id','=','tank/c@x']] | {} | 1 | 1 0",
                "13.0 | [['dataset','=','tank/c']] | {'extra':{'properties':['createtxg']}} | 3 | 6 0",
                // paths are looked up, and a pool is walked through; one that is not there hides the others
                "26 | [['dataset','=','tank/c'],['snapshot_name','=','x']] | {} | 1 | 0 3",
                "26 | [['dataset','=','tank/c']] | {'extra':{'properties':['used']}} | 3 | 3 0",
                "26 | [['dataset','^','tank/c']] | {'extra':{'holds':true}} | 3 | 6 0",
                "26 | [['pool','=','small']] | {} | 0 | 0 0",
                "26 | [['pool','=','tank'],['snapshot_name','=','x']] | {} | 2 | 0 6",
                "26 | [['id','in',['tank/c@x','tank/c@y']]] | {'extra':{'properties':['used']}} | 2 | 2 0",
                "26 | [['id','in',['tank/c@x','tank/c@gone']]] | {} | 0 | 0 1",
            })
    void a_query_for_snapshots_reads_what_the_release_reads(
            String release, String filters, String options, int found, String read) {
        try (Simulator box = Simulator.start(Profile.named(release).orElseThrow(), folder)) {
            fill(box);
            box.pool("small", 1L << 30);
            String space = box.profile().since(Profile.V25_10_0) ? "pool" : "zfs";

            assertThat(asked(box, space + ".snapshot.query", filters, options).getAsJsonArray())
                    .hasSize(found);

            assertThat(read(box)).isEqualTo(read);
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "25.04 | [['id','=','tank/a']] | {'extra':{'snapshots':true}} | 0 3 2",
                "25.04 | [['id','=','tank/a']] | {'extra':{'snapshots':true,'retrieve_children':false}} | 0 0 1",
                "25.04 | [['id','^','tank/a']] | {} | 0 0 4",
                "24.10 | [['id','in',['tank/a/b','tank/c']]] | {'extra':{'retrieve_children':false}} | 0 0 4",
                "25.04 | [['id','in',['tank/a/b','tank/c']]] | {'extra':{'retrieve_children':false}} | 0 0 2",
                "25.04 | [['id','in',['tank/a','tank/gone']]] | {'extra':{'snapshots':true}} | 0 3 2",
                "24.10 | [['name','=','tank/a']] | {} | 0 0 4",
                "25.04 | [['name','=','tank/a']] | {} | 0 0 2",
                "25.10 | [['id','=','tank/a']] | {'extra':{'snapshots':true}} | 6 0 4",
                "26 | [['id','=','tank/a']] | {'extra':{'snapshots_count':true}} | 0 6 4",
            })
    void a_query_for_datasets_reads_what_the_release_reads(
            String release, String filters, String options, String read) {
        try (Simulator box = Simulator.start(Profile.named(release).orElseThrow(), folder)) {
            fill(box);

            var _ = asked(box, "pool.dataset.query", filters, options);

            assertThat(read(box) + " " + box.calls().getLast().read().datasets())
                    .isEqualTo(read);
        }
    }

    @Test
    void the_queries_of_resources_read_their_paths_alone() {
        try (Simulator box = Simulator.start(Profile.V26, folder)) {
            fill(box);

            var _ = asked(box, "zfs.resource.query", "{'paths':['tank/c']}", "");
            assertThat(box.calls().getLast().read().datasets()).isEqualTo(1);
            var _ = asked(box, "zfs.resource.snapshot.query", "{'paths':['tank/a'],'recursive':true}", "");
            assertThat(read(box)).isEqualTo("0 3");
            var _ = asked(box, "zfs.resource.snapshot.query", "{'paths':['tank/c@x'],'get_user_properties':true}", "");
            assertThat(read(box)).isEqualTo("1 0");
        }
    }

    @Test
    void a_snapshot_whose_name_alone_was_read_is_shown_without_properties() {
        try (Simulator box = Simulator.start(Profile.V25_10, folder)) {
            fill(box);

            JsonObject row = asked(
                            box,
                            "pool.snapshot.query",
                            "[['dataset','^','tank/c']]",
                            "{'extra':{'properties':['createtxg']}}")
                    .getAsJsonArray()
                    .get(0)
                    .getAsJsonObject();

            assertThat(row.has("properties")).isFalse();
            assertThat(row.get("createtxg").getAsString()).matches("[1-9][0-9]*");
        }
    }

    @ParameterizedTest
    @CsvSource({"24.10, zfs", "25.04, zfs", "25.10, pool"})
    void a_query_for_the_transaction_of_a_group_reads_no_properties_of_other_snapshots(String release, String space) {
        try (Simulator box = Simulator.start(Profile.named(release).orElseThrow(), folder)) {
            fill(box);
            var _ = box.call(
                    space + ".snapshot.create", array(object("dataset", "tank/a", "name", "group", "recursive", true)));
            String transaction = asked(box, space + ".snapshot.query", "[['id','=','tank/a@group']]", "")
                    .getAsJsonArray()
                    .get(0)
                    .getAsJsonObject()
                    .get("createtxg")
                    .getAsString();

            assertThat(asked(
                                    box,
                                    space + ".snapshot.query",
                                    "[['dataset','^','tank/']]",
                                    "{'extra':{'min_txg':%s,'max_txg':%s}}".formatted(transaction, transaction))
                            .getAsJsonArray())
                    .hasSize(2);

            assertThat(read(box)).isEqualTo("2 6");
        }
    }

    /** py-libzfs declares both limits as int. */
    @ParameterizedTest
    @CsvSource({"24.10, zfs", "25.10, pool"})
    void a_transaction_beyond_an_int_of_c_is_refused(String release, String space) {
        try (Simulator box = Simulator.start(Profile.named(release).orElseThrow(), folder)) {
            fill(box);

            assertThatThrownBy(() -> asked(box, space + ".snapshot.query", "[]", "{'extra':{'max_txg':2147483648}}"))
                    .hasMessageContaining("too large");
        }
    }
}
