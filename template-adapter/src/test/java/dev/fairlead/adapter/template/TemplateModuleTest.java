package dev.fairlead.adapter.template;

import dev.fairlead.application.config.ConfigValue.Mapping;
import dev.fairlead.application.port.out.store.StoreFactory;
import dev.fairlead.testkit.ConfigTrees;
import dev.fairlead.testkit.contract.volume.StoreFactoryContract;
import java.util.List;
import java.util.Map;

class TemplateModuleTest implements StoreFactoryContract {
    @Override
    public StoreFactory factory() {
        return TemplateModule.template();
    }

    @Override
    public String driverType() {
        return "template";
    }

    @Override
    public Mapping goodConfig() {
        return ConfigTrees.of(Map.of("driver", "template", "template", Map.of("controllerBasePath", "/srv/volumes")));
    }

    @Override
    public List<BadConfig> badConfigs() {
        return List.of(
                new BadConfig("nothing", Mapping.EMPTY, List.of("template.controllerBasePath")),
                new BadConfig(
                        "a relative path",
                        ConfigTrees.with(goodConfig(), "template.controllerBasePath", "srv"),
                        List.of("template.controllerBasePath")));
    }
}
