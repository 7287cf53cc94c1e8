package dev.fairlead.adapter.kernel.lio;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.application.config.ConfigNode;
import dev.fairlead.application.config.Problems;
import dev.fairlead.application.port.out.export.block.IscsiPortals;
import dev.fairlead.application.port.out.export.block.NameForm;
import dev.fairlead.application.port.out.export.block.TargetNaming;
import dev.fairlead.testkit.ConfigTrees;
import dev.fairlead.testkit.HostileInput;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class ChapTest {
    private static final LioTarget TARGET =
            new LioTarget("iqn.2003-01.org.example", "iqn.2003-01.org.example:a", "a", "/d");

    /** Ends a value, or a command, as targetcli reads it. */
    private static final String ENDS = " \t\r\n\0'\"`|^{}";

    private static String input(Chap chap) {
        TargetNaming names = TargetNaming.read(
                ConfigNode.root(ConfigTrees.of(Map.of()), new Problems("c")), NameForm.IQN, TARGET.base());
        return TargetScripts.exportInput(
                TARGET,
                new TargetSettings(names, false, Map.of(), chap, Map.of(), new IscsiPortals("nas", List.of(), "")));
    }

    @Test
    void no_credential_becomes_another_command_or_loses_its_end() {
        long lines = input(new Chap(Map.of())).lines().count();
        HostileInput.texts().forEach(text -> {
            var problems = new Problems("c.yaml");
            Chap chap =
                    Chap.read(ConfigNode.root(ConfigTrees.of(Map.of("userid", "alice", "password", text)), problems));
            if (problems.hasErrors()) {
                assertThat(problems.all().toString()).doesNotContain(text.length() > 20 ? text : "\0");
                return;
            }

            String input = input(chap);

            assertThat(input.lines().count()).isEqualTo(lines + 2);
            assertThat(input.lines().toList().get(1)).isEqualTo(text);
            assertThat(input).contains("/tpg1 set auth password=" + text + "\n");
            assertThat(text.chars().mapToObj(Character::toString).collect(Collectors.toSet()))
                    .doesNotContainAnyElementsOf(List.of(ENDS.split("")));
        });
    }

    @Test
    void a_text_is_shown_without_them() {
        var auth = ConfigNode.root(
                ConfigTrees.of(Map.of("userid", "alice", "password", "wonderland")), new Problems("c.yaml"));

        assertThat(Chap.read(auth).conceal("userid=alice password=wonderland, wonderlandx"))
                .isEqualTo("userid=*** password=***, ***x");
    }
}
