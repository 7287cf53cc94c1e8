package dev.fairlead.adapter.grpc.controller;

import csi.v1.ControllerExpandVolumeRequest;
import csi.v1.ControllerModifyVolumeRequest;
import csi.v1.CreateVolumeRequest;
import csi.v1.GetCapacityRequest;
import csi.v1.Topology;
import csi.v1.TopologyRequirement;
import csi.v1.ValidateVolumeCapabilitiesRequest;
import csi.v1.VolumeContentSource;
import dev.fairlead.adapter.grpc.message.CapabilityMapper;
import dev.fairlead.adapter.grpc.message.FieldChecks;
import dev.fairlead.application.port.in.volume.CreateVolume;
import dev.fairlead.application.port.in.volume.ReportCapacity;
import dev.fairlead.application.port.in.volume.Source;
import dev.fairlead.application.port.in.volume.ValidateVolume;
import dev.fairlead.domain.capacity.CapacityRange;
import dev.fairlead.domain.topology.AccessibilityRequirement;
import dev.fairlead.domain.topology.TopologyLabels;
import dev.fairlead.domain.topology.TopologySegment;
import dev.fairlead.domain.volume.CsiName;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Decodes the requests about volumes. Secrets are not read: no connection takes its secrets from a class. */
final class VolumeRequests {
    private VolumeRequests() {}

    static CreateVolume.Command create(CreateVolumeRequest request) {
        return new CreateVolume.Command(
                new CsiName(request.getName()),
                CapabilityMapper.range(request.hasCapacityRange(), request.getCapacityRange()),
                CapabilityMapper.required("volume_capabilities", request.getVolumeCapabilitiesList()),
                FieldChecks.map("parameters", request.getParametersMap()),
                request.hasVolumeContentSource() ? source(request.getVolumeContentSource()) : Source.NONE,
                request.hasAccessibilityRequirements()
                        ? requirement("accessibility_requirements", request.getAccessibilityRequirements())
                        : AccessibilityRequirement.NONE,
                mutable(request.getModifiableParametersMap()));
    }

    private static Source source(VolumeContentSource source) {
        return switch (source.getTypeCase()) {
            case SNAPSHOT ->
                new Source.Snapshot(FieldChecks.handle(
                        "volume_content_source.snapshot.snapshot_id",
                        source.getSnapshot().getSnapshotId()));
            case VOLUME ->
                new Source.Volume(FieldChecks.handle(
                        "volume_content_source.volume.volume_id",
                        source.getVolume().getVolumeId()));
            case TYPE_NOT_SET ->
                throw FieldChecks.invalid(
                        "volume_content_source", "is of no known type (expected: snapshot or volume)");
        };
    }

    private static AccessibilityRequirement requirement(String field, TopologyRequirement requirement) {
        return new AccessibilityRequirement(
                segments(field + ".requisite", requirement.getRequisiteList()),
                segments(field + ".preferred", requirement.getPreferredList()));
    }

    private static List<TopologySegment> segments(String field, List<Topology> terms) {
        List<TopologySegment> segments = new ArrayList<>(terms.size());
        for (int i = 0; i < terms.size(); i++) {
            segments.add(segment(field + "[" + i + "]", terms.get(i)));
        }
        return segments;
    }

    private static TopologySegment segment(String field, Topology term) {
        return TopologyLabels.requested(field, term.getSegmentsMap());
    }

    /** Returns mutable parameters of an allowed size; the connection decides which of them there may be. */
    private static Map<String, String> mutable(Map<String, String> parameters) {
        return FieldChecks.map("mutable_parameters", parameters);
    }

    static Map<String, String> modification(ControllerModifyVolumeRequest request) {
        if (request.getMutableParametersMap().isEmpty()) {
            throw FieldChecks.invalid("mutable_parameters", "are missing (expected: what is to be changed)");
        }
        return mutable(request.getMutableParametersMap());
    }

    static CapacityRange expansion(ControllerExpandVolumeRequest request) {
        if (request.hasVolumeCapability()) {
            CapabilityMapper.one("volume_capability", request.getVolumeCapability());
        }
        if (!request.hasCapacityRange()) {
            throw FieldChecks.invalid("capacity_range", "is missing (expected: the size to grow to)");
        }
        return CapabilityMapper.range(true, request.getCapacityRange());
    }

    static ValidateVolume.Command validate(ValidateVolumeCapabilitiesRequest request) {
        return new ValidateVolume.Command(
                FieldChecks.handle("volume_id", request.getVolumeId()),
                CapabilityMapper.required("volume_capabilities", request.getVolumeCapabilitiesList()),
                FieldChecks.map("volume_context", request.getVolumeContextMap()),
                FieldChecks.map("parameters", request.getParametersMap()),
                mutable(request.getModifiableParametersMap()));
    }

    static ReportCapacity.Command capacity(GetCapacityRequest request) {
        return new ReportCapacity.Command(
                FieldChecks.map("parameters", request.getParametersMap()),
                CapabilityMapper.all("volume_capabilities", request.getVolumeCapabilitiesList()),
                request.hasAccessibleTopology()
                        ? Optional.of(segment("accessible_topology", request.getAccessibleTopology()))
                        : Optional.empty());
    }
}
