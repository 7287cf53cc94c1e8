package dev.fairlead.application.port.out;

import dev.fairlead.domain.connection.ConnectionName;
import java.util.Optional;

/**
 * What a store or exporter may know of the connection that it serves.
 *
 * @param driverType the {@code driver:} key, as the connection file spells it
 * @param instanceId the {@code instance_id} key
 * @param installation identifies the installation of Fairlead (its CSI names), so that two of them do not share storage
 *     by accident
 */
public record ConnectionScope(
        ConnectionName name, String driverType, Optional<String> instanceId, String installation) {}
