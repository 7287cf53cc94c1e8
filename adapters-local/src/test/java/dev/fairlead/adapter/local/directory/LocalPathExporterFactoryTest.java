package dev.fairlead.adapter.local.directory;

import dev.fairlead.application.config.ConfigValue.Mapping;
import dev.fairlead.application.port.out.export.ExporterFactory;
import dev.fairlead.testkit.ExporterFactoryContract;
import java.util.List;
import java.util.Map;

class LocalPathExporterFactoryTest implements ExporterFactoryContract {
    @Override
    public ExporterFactory factory() {
        return (scope, file, _) -> LocalPathExporter.open(scope, file);
    }

    @Override
    public String driverType() {
        return "local-hostpath";
    }

    private static Mapping file(String path) {
        return Bench.mapping(Map.of("local-hostpath", Bench.mapping(Map.of("shareBasePath", path))));
    }

    @Override
    public Mapping goodConfig() {
        return file("/var/lib/volumes");
    }

    @Override
    public List<BadConfig> badConfigs() {
        List<String> paths = List.of("local-hostpath.shareBasePath");
        return List.of(
                new BadConfig("nothing", Mapping.EMPTY, paths),
                new BadConfig("relative", file("var"), paths),
                new BadConfig("the root", file("/"), paths));
    }
}
