package dev.fairlead.bootstrap.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.application.port.out.adoption.Adoption;
import dev.fairlead.application.port.out.adoption.Adoption.Entry;
import dev.fairlead.application.port.out.adoption.AdoptionTarget;
import dev.fairlead.application.port.out.adoption.Adoptions;
import dev.fairlead.application.port.out.placement.ChangeOutcome;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/** The command line of an adoption, and how its plan is shown; what it does is tested beside it. */
class AdoptionCommandTest {
    private static final List<Entry> PLAN = List.of(
            new Entry("pvc-1", "u1", "apps/data", "hostPath /d/pvc-1 on n", Optional.of("csi d pvc-1"), ""),
            new Entry("pvc-2", "u2", "apps/\"odd\"", "", Optional.empty(), "it is Released"));

    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    @ParameterizedTest
    @ValueSource(
            strings = {
                "adopt",
                "adopt linstor --csi-name=a --pool=legacy=/d",
                "adopt hostpath --csi-name=a",
                "adopt hostpath --pool=legacy=/d",
                "adopt hostpath --csi-name=a --pool=/d",
                "adopt hostpath --csi-name=a --pool=legacy=d",
                "adopt hostpath --csi-name=a --pool=legacy=/",
                "adopt hostpath --csi-name=a --pool=legacy=/d/../e",
                "adopt hostpath --csi-name=a --pool=a/b=/d",
                "adopt hostpath --csi-name=a --pool=v:a=/d",
                "adopt hostpath --csi-name=a --pool=legacy=/d --pool=legacy=/e",
                "adopt hostpath --csi-name=a --pool=legacy=/d --pool=other=/d",
                "adopt hostpath --csi-name=a --pool=legacy=/d --connection=../x"
            })
    void a_wrong_command_line_says_what_is_expected(String line) {
        PrintStream out = new PrintStream(err, true, StandardCharsets.UTF_8);

        int code = Verbs.run(List.of(line.split(" ", -1)), Map.of(), new Terminal(out, out, false, false));

        assertThat(code).isEqualTo(2);
        assertThat(err.toString(StandardCharsets.UTF_8)).containsAnyOf("expected", "Missing required");
    }

    /** What an earlier process was killed at is taken back before it is replaced by the plan of now. */
    @ParameterizedTest
    @CsvSource({"REPLACED,0", "UNFINISHED,1", "ABANDONED,1"})
    void the_exit_code_tells_what_came_of_each_volume_in_the_end(ChangeOutcome.Result last, int code) {
        PrintStream out = new PrintStream(err, true, StandardCharsets.UTF_8);
        Adoption adoption = new Adoption() {
            @Override
            public List<Entry> plan() {
                return List.of();
            }

            @Override
            public void act(Consumer<ChangeOutcome> told) {
                told.accept(new ChangeOutcome("pvc-1", ChangeOutcome.Result.ABANDONED, "taken back"));
                told.accept(new ChangeOutcome("pvc-1", last, "the end"));
            }
        };
        Adoptions adoptions = new Adoptions() {
            @Override
            public Optional<String> namespace() {
                return Optional.of("storage");
            }

            @Override
            public Adoption of(AdoptionTarget target, boolean back, String intents) {
                return adoption;
            }
        };
        AdoptionCommand command = new AdoptionCommand(Map.of(), new Terminal(out, out, false, false), () -> adoptions);

        assertThat(new CommandLine(command).execute("hostpath", "--csi-name=a", "--pool=legacy=/d"))
                .isEqualTo(code);
    }

    @Test
    void the_plan_is_for_people_and_for_programs() {
        assertThat(AdoptionPrinter.text(PLAN)).isEqualTo("""
                        pvc-1  claim apps/data
                            from hostPath /d/pvc-1 on n
                            to   csi d pvc-1
                        pvc-2  claim apps/"odd"
                            stays: it is Released
                        1 of 2 volumes would change.
                        """);
        assertThat(AdoptionPrinter.json(PLAN))
                .isEqualTo("{\"volumes\":[{\"volume\":\"pvc-1\",\"claim\":\"apps/data\","
                        + "\"from\":\"hostPath /d/pvc-1 on n\",\"to\":\"csi d pvc-1\"},"
                        + "{\"volume\":\"pvc-2\",\"claim\":\"apps/\\\"odd\\\"\",\"stays\":\"it is Released\"}]}\n");
    }
}
