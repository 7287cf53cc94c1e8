package dev.fairlead.adapter.zfs.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** The outputs are those of OpenZFS 2.1.11. */
class StreamExtentTest {
    @Test
    void a_whole_stream_has_a_snapshot_and_a_size() {
        String output = "full\ttank/xfer/a/pvc-1@snap-1\t12093072\nsize\t12093072\n";

        assertThat(StreamExtent.read(output)).contains(new StreamExtent("tank/xfer/a/pvc-1@snap-1", 0, 12_093_072));
    }

    @Test
    void the_rest_of_a_stream_says_what_the_other_end_has_and_which_snapshot_was_found_for_it() {
        String output = """
                resume token contents:
                nvlist version: 0
                \tobject = 0x2
                \toffset = 0x4a0000
                \tbytes = 0x4c3850
                \ttoguid = 0x4150cffa246aae2b
                \ttoname = tank/xfer/a/pvc-1@snap-1
                full\ttank/xfer/b/pvc-2@other\t7097920
                size\t7097920
                """;

        assertThat(StreamExtent.read(output))
                .contains(new StreamExtent("tank/xfer/b/pvc-2@other", 0x4c3850, 7_097_920));
    }

    /** It estimates what is left as the size of the data without what has come, headers and all. */
    @Test
    void near_the_end_zfs_tells_less_than_nothing_and_something_is_left() {
        String output = """
                resume token contents:
                nvlist version: 0
                \tobject = 0x24
                \toffset = 0x0
                \tbytes = 0xbf10
                \ttoguid = 0xe04066ebfd10912
                \ttoname = tank/probe/a@s
                full\ttank/probe/a@s\t18446744073709537120
                size\t18446744073709537120
                """;

        assertThat(StreamExtent.read(output)).contains(new StreamExtent("tank/probe/a@s", 0xbf10, 1));
    }

    @Test
    void what_is_cut_short_says_nothing() {
        assertThat(StreamExtent.read("")).isEmpty();
        assertThat(StreamExtent.read("full\ttank/a@s\t12\n")).isEmpty();
        assertThat(StreamExtent.read("size\t12\n")).isEmpty();
        assertThat(StreamExtent.read("incremental\ta\ttank/a@s\t12\nsize\t12\n"))
                .isEmpty();
    }
}
