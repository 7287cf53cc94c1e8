package dev.fairlead.adapter.freenas.iscsi;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.adapter.freenas.export.ExportedVolumes;
import dev.fairlead.application.config.Problem;
import dev.fairlead.application.config.Problems;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The values of iSCSI that democratic-csi takes in several forms. */
class IscsiSettingsTest {
    private static IscsiSettings read(Map<String, Object> more, Problems problems) {
        Map<String, Object> block = new java.util.HashMap<>(Map.of("targetPortal", "nas.example:3260"));
        block.putAll(more);
        return IscsiSettings.read(ExportedVolumes.file(Map.of("iscsi", block), problems));
    }

    @ParameterizedTest
    @CsvSource({"'', SSD", "Unknown, UNKNOWN", "ssd, SSD", "7200, 7200"})
    void a_speed_is_taken_in_any_case_and_the_usual_one_for_none(String text, String rpm) {
        var problems = new Problems("test.yaml");

        var fields = read(Map.of("extentRpm", text), problems).extent().fields("n", "d", "", false);

        assertThat(problems.all()).isEmpty();
        assertThat(fields.get("rpm").getAsString()).isEqualTo(rpm);
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "-1"})
    void a_portal_group_that_is_none_is_reported(String number) {
        var problems = new Problems("test.yaml");

        IscsiSettings _ = read(Map.of("targetGroups", List.of(Map.of("targetGroupPortalGroup", number))), problems);

        assertThat(problems.errors())
                .extracting(Problem::path)
                .containsExactly("iscsi.targetGroups[0].targetGroupPortalGroup");
    }

    @ParameterizedTest
    @CsvSource({"nodes, true, 1", "nodes, false, 0", "open, true, 0"})
    void copies_that_pass_by_access_control_are_warned_of_where_volumes_are_closed(
            String publish, boolean allowed, int warnings) {
        var problems = new Problems("test.yaml");
        Map<String, Object> block = Map.of("targetPortal", "nas.example:3260", "extentInsecureTpc", allowed);

        IscsiSettings settings = IscsiSettings.read(
                ExportedVolumes.file(Map.of("iscsi", block, "fairlead", Map.of("publish", publish)), problems));

        assertThat(settings.extent()
                        .fields("n", "d", "", true)
                        .get("insecure_tpc")
                        .getAsBoolean())
                .isEqualTo(allowed);
        assertThat(problems.errors()).isEmpty();
        assertThat(problems.all())
                .hasSize(warnings)
                .extracting(Problem::path)
                .allMatch("iscsi.extentInsecureTpc"::equals);
    }
}
