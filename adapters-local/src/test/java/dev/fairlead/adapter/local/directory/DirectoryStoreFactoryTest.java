package dev.fairlead.adapter.local.directory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.adapter.local.directory.base.Alarm;
import dev.fairlead.adapter.local.directory.base.SeenBases;
import dev.fairlead.adapter.local.directory.settings.DirectorySettings;
import dev.fairlead.adapter.local.directory.settings.SeenBasesSettings;
import dev.fairlead.application.config.ConfigNode;
import dev.fairlead.application.config.ConfigValue.Mapping;
import dev.fairlead.application.config.ConfigValue.Scalar;
import dev.fairlead.application.config.Problem;
import dev.fairlead.application.config.Problems;
import dev.fairlead.application.port.out.store.StoreFactory;
import dev.fairlead.testkit.contract.volume.StoreFactoryContract;
import dev.fairlead.testkit.fake.SteppingClock;
import dev.fairlead.testkit.fake.TestWork;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DirectoryStoreFactoryTest implements StoreFactoryContract {
    @TempDir
    static Path folder = Path.of("/nowhere");

    @Override
    public StoreFactory factory() {
        return new DirectoryStoreFactory(
                SteppingClock.standing(),
                Runnable::run,
                (_, what, _, _) -> TestWork.named(what),
                (_, _) -> Alarm.Call.NONE,
                new SeenBases(SeenBasesSettings.NONE));
    }

    @Override
    public String driverType() {
        return "local-hostpath";
    }

    @Override
    public Set<String> anyShape() {
        return Set.of("driver", "local-hostpath.shareBasePath");
    }

    private static Mapping file(Map<String, Object> keys) {
        Map<String, Object> block = new LinkedHashMap<>();
        block.put("shareBasePath", "/export");
        block.put("controllerBasePath", folder.resolve("base"));
        block.putAll(keys);
        return DirectoryFixture.mapping(
                Map.of("driver", "local-hostpath", "local-hostpath", DirectoryFixture.mapping(block)));
    }

    @Override
    public Mapping goodConfig() {
        return file(Map.of(
                "dirPermissionsMode",
                "0770",
                "dirPermissionsUser",
                "0",
                "dirPermissionsGroup",
                "root",
                "snapshots",
                DirectoryFixture.mapping(Map.of("default_driver", "filecopy"))));
    }

    @Override
    public List<BadConfig> badConfigs() {
        return List.of(
                new BadConfig(
                        "nothing", DirectoryFixture.mapping(Map.of()), List.of("local-hostpath.controllerBasePath")),
                new BadConfig(
                        "everything",
                        file(Map.of(
                                "controllerBasePath", "relative",
                                "dirPermissionsMode", "rwx",
                                "dirPermissionsUser", "nobody-of-this-name",
                                "dirPermissionsGroup", "4294967295",
                                "snapshots", DirectoryFixture.mapping(Map.of("default_driver", "restic")))),
                        List.of(
                                "local-hostpath.controllerBasePath",
                                "local-hostpath.dirPermissionsMode",
                                "local-hostpath.dirPermissionsUser",
                                "local-hostpath.dirPermissionsGroup",
                                "local-hostpath.snapshots.default_driver")));
    }

    @ParameterizedTest
    @ValueSource(strings = {"/", "//", "/a/../b", "a/b", "", "/a/./b", "/a\0b"})
    void a_base_that_is_no_plain_absolute_folder_is_refused(String path) {
        assertThat(problems(file(Map.of("controllerBasePath", path))))
                .singleElement()
                .satisfies(problem -> assertThat(problem.path()).isEqualTo("local-hostpath.controllerBasePath"));
    }

    @ParameterizedTest
    @CsvSource({"0777,777", "777,777", "0o750,750", "02770,2770", "1777,1777", "0,0"})
    void modes_are_octal_however_they_are_written(String text, String octal) {
        DirectorySettings settings = settings(Map.of("dirPermissionsMode", text));

        assertThat(settings.mode()).contains(Integer.parseInt(octal, 8));
    }

    @ParameterizedTest
    @ValueSource(strings = {"8", "0778", "17777", "-1", "rwxr-xr-x", "0x1ff"})
    void what_is_no_mode_is_refused(String text) {
        assertThat(problems(file(Map.of("dirPermissionsMode", text)))).hasSize(1);
    }

    @Test
    void an_unquoted_number_is_octal_too_and_draws_a_warning() {
        Scalar unquoted = new Scalar("0777", Scalar.Type.NUMBER, 7);

        List<Problem> found = problems(file(Map.of("dirPermissionsMode", unquoted)));

        assertThat(found).singleElement().satisfies(problem -> {
            assertThat(problem.isError()).isFalse();
            assertThat(problem.line()).isEqualTo(7);
            assertThat(problem.remedy()).contains("\"0777\"");
        });
        assertThat(settings(Map.of("dirPermissionsMode", unquoted)).mode()).contains(0777);
    }

    @Test
    void owners_are_names_or_numbers_and_zero_counts() {
        DirectorySettings settings = settings(Map.of("dirPermissionsUser", "daemon", "dirPermissionsGroup", "0"));

        assertThat(settings.user()).contains(1);
        assertThat(settings.group()).contains(0);
        assertThat(settings(Map.of("dirPermissionsUser", "4294967294")).user()).contains(-2);
    }

    @Test
    void a_trailing_slash_is_cut() {
        assertThat(settings(Map.of("controllerBasePath", "/data/base/")).base()).isEqualTo(Path.of("/data/base"));
    }

    @Test
    void the_blocks_of_other_snapshot_drivers_are_known_and_passed_over() {
        Problems problems = new Problems("test.yaml");
        Object restic = DirectoryFixture.mapping(Map.of("prune", "true"));
        ConfigNode root = ConfigNode.root(
                file(Map.of("snapshots", DirectoryFixture.mapping(Map.of("restic", restic)))), problems);

        DirectorySettings.read(DirectoryFixture.scope("test"), root.child("local-hostpath"));
        root.ignore("driver");
        root.reportUnread(ConfigNode.Unread.ERROR);

        assertThat(problems.all()).isEmpty();
    }

    @Test
    void opening_touches_nothing() {
        factory().open(DirectoryFixture.scope("test"), ConfigNode.root(goodConfig(), new Problems("test.yaml")));

        assertThat(Files.exists(folder.resolve("base"))).isFalse();
    }

    private static DirectorySettings settings(Map<String, Object> keys) {
        return DirectorySettings.read(
                DirectoryFixture.scope("test"),
                ConfigNode.root(file(keys), new Problems("test.yaml")).child("local-hostpath"));
    }

    private static List<Problem> problems(Mapping config) {
        Problems problems = new Problems("test.yaml");
        DirectorySettings.read(
                DirectoryFixture.scope("test"),
                ConfigNode.root(config, problems).child("local-hostpath"));
        return problems.all();
    }
}
