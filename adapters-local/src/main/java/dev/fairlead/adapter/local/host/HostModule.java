package dev.fairlead.adapter.local.host;

import dagger.Module;
import dagger.Provides;
import dagger.multibindings.IntoMap;
import dagger.multibindings.StringKey;
import dev.fairlead.application.port.out.host.CommandRunnerFactory;
import java.util.concurrent.ThreadFactory;

/**
 * Provides this machine as a connection's storage host; needs {@link ToolSettings}. Whole scripts are run where
 * {@code zfs} is, since the folders whose owners and modes they set are there as well.
 */
@Module
public interface HostModule {
    @Provides
    @IntoMap
    @StringKey("local")
    static CommandRunnerFactory local(ThreadFactory threads, ToolSettings settings) {
        HostTools tools = HostTools.ofThisMachine(settings.allWhereIs("zfs"));
        return (scope, _) -> new LocalCommandRunner(scope.name().value(), threads, tools);
    }
}
