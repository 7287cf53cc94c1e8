package dev.fairlead.adapter.local.directory;

import dev.fairlead.application.config.ConfigValue.Mapping;
import dev.fairlead.application.port.out.export.ExporterFactory;
import dev.fairlead.testkit.contract.export.ExporterFactoryContract;
import java.util.List;
import java.util.Map;

class LocalPathExporterFactoryTest implements ExporterFactoryContract {
    @Override
    public ExporterFactory factory() {
        return new LocalPathExporterFactory();
    }

    @Override
    public String driverType() {
        return "local-hostpath";
    }

    @Override
    public String mediumPath() {
        return "/data/v/pvc-1";
    }

    private static Mapping file(String base, String path) {
        return DirectoryFixture.mapping(Map.of(
                "local-hostpath", DirectoryFixture.mapping(Map.of("controllerBasePath", base, "shareBasePath", path))));
    }

    @Override
    public Mapping goodConfig() {
        return file("/data", "/var/lib/volumes");
    }

    @Override
    public List<BadConfig> badConfigs() {
        String base = "local-hostpath.controllerBasePath";
        String path = "local-hostpath.shareBasePath";
        return List.of(
                new BadConfig("nothing", Mapping.EMPTY, List.of(base, path)),
                new BadConfig("relative", file("/data", "var"), List.of(path)),
                new BadConfig("the root", file("/data", "/"), List.of(path)),
                new BadConfig("a relative base", file("data", "/var"), List.of(base)));
    }
}
