package dev.fairlead.bootstrap.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.application.config.ConfigNode;
import dev.fairlead.application.config.ConfigNode.Unread;
import dev.fairlead.application.config.ConfigValue.Mapping;
import dev.fairlead.application.config.Problem;
import dev.fairlead.application.config.Problems;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class DefaultsTest {
    private final Problems problems = new Problems("c.yaml");
    private final Defaults defaults = Defaults.of(read("""
            driver: proxy
            instance_id: main
            service: {identity: x}
            proxy: {configFolder: /c}
            node: {mount: x}
            zfs: {pool: tank}
            local-hostpath:
              dirPermissionsMode: "0777"
              list: [a, b, c]
              deep: {one: 1, two: 2}
            """));

    @Test
    void mappings_are_merged_deeply_and_lists_replaced() {
        ConfigNode merged = under("driver: local-hostpath\nlocal-hostpath:\n  list: [x]\n  deep: {two: mine}\n")
                .child("local-hostpath");

        assertThat(merged.string("dirPermissionsMode")).contains("0777");
        assertThat(merged.strings("list")).containsExactly("x");
        assertThat(merged.child("deep").stringMap("none")).isEmpty();
        assertThat(merged.stringMap("deep")).containsEntry("one", "1").containsEntry("two", "mine");
    }

    @Test
    void null_takes_a_default_away() {
        assertThat(under("local-hostpath:\n  dirPermissionsMode: ~\n")
                        .child("local-hostpath")
                        .has("dirPermissionsMode"))
                .isFalse();
    }

    @Test
    void what_is_the_process_s_own_is_no_default() {
        assertThat(under("driver: local-hostpath\n").keys())
                .containsExactlyInAnyOrder("driver", "zfs", "local-hostpath");
    }

    @Test
    void a_default_that_nobody_reads_is_no_unknown_key_of_the_connection() {
        ConfigNode merged = under("drivr: local-hostpath\n");

        merged.reportUnread(Unread.WARNING);

        assertThat(problems.all()).extracting(Problem::path).containsExactly("drivr");
    }

    private ConfigNode under(String text) {
        return ConfigNode.root(defaults.under(read(text)), problems);
    }

    private Mapping read(String text) {
        return YamlReader.read(text.getBytes(StandardCharsets.UTF_8), problems).orElseThrow();
    }
}
