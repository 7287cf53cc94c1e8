// The floor under a volume in a cluster: a CSI driver that makes a directory, mounts it, and does nothing else. It takes
// the arguments that the chart gives to Fairlead, so that the same chart installs it with the same sidecars.
package main

import (
	"context"
	"log"
	"net"
	"net/http"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/types/known/wrapperspb"
	registration "k8s.io/kubelet/pkg/apis/pluginregistration/v1"
)

const (
	zoneKey = "null.fairlead.dev/zone"
	// A node sees its own zone's folder here, and a controller every zone's there.
	nodeZones = "/srv/zones"
	allZones  = "/srv/all-zones"
	folder    = "null"
)

type driver struct {
	csi.UnimplementedIdentityServer
	csi.UnimplementedControllerServer
	csi.UnimplementedNodeServer
	name, socket, node, zone string
}

func main() {
	options := map[string]string{}
	for _, arg := range os.Args[2:] {
		name, value, _ := strings.Cut(strings.TrimPrefix(arg, "--"), "=")
		options[name] = value
	}
	d := &driver{name: options["csi-name"], socket: options["server-socket"], node: os.Getenv("CSI_NODE_ID")}
	controller := os.Args[1] == "controller"

	server := grpc.NewServer()
	csi.RegisterIdentityServer(server, d)
	if controller {
		csi.RegisterControllerServer(server, d)
	} else {
		zones, err := os.ReadDir(nodeZones)
		if err != nil || len(zones) != 1 {
			log.Fatalf("%s has %d zones, %v", nodeZones, len(zones), err)
		}
		d.zone = zones[0].Name()
		csi.RegisterNodeServer(server, d)
	}
	go serve(server, d.socket)
	if folder := options["registration-dir"]; folder != "" && !controller {
		registrar := grpc.NewServer()
		registration.RegisterRegistrationServer(registrar, &registrant{d: d})
		path := filepath.Join(folder, d.name+"-reg.sock")
		defer func() { _ = os.Remove(path) }()
		go serve(registrar, path)
	}
	go func() {
		fine := func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusOK) }
		log.Fatal(http.ListenAndServe(options["http-endpoint"], http.HandlerFunc(fine)))
	}()
	ended := make(chan os.Signal, 1)
	signal.Notify(ended, syscall.SIGTERM, syscall.SIGINT)
	<-ended
}

func serve(server *grpc.Server, socket string) {
	_ = os.Remove(socket)
	listener, err := net.Listen("unix", socket)
	if err == nil {
		err = os.Chmod(socket, 0o660)
	}
	if err != nil {
		log.Fatal(err)
	}
	log.Fatal(server.Serve(listener))
}

type registrant struct {
	registration.UnimplementedRegistrationServer
	d *driver
}

func (r *registrant) GetInfo(context.Context, *registration.InfoRequest) (*registration.PluginInfo, error) {
	return &registration.PluginInfo{
		Type: registration.CSIPlugin, Name: r.d.name, Endpoint: r.d.socket, SupportedVersions: []string{"1.0.0"},
	}, nil
}

func (r *registrant) NotifyRegistrationStatus(
	context.Context, *registration.RegistrationStatus,
) (*registration.RegistrationStatusResponse, error) {
	return &registration.RegistrationStatusResponse{}, nil
}

func (d *driver) GetPluginInfo(context.Context, *csi.GetPluginInfoRequest) (*csi.GetPluginInfoResponse, error) {
	return &csi.GetPluginInfoResponse{Name: d.name, VendorVersion: "0"}, nil
}

func (d *driver) GetPluginCapabilities(
	context.Context, *csi.GetPluginCapabilitiesRequest,
) (*csi.GetPluginCapabilitiesResponse, error) {
	capabilities := []*csi.PluginCapability{}
	for _, service := range []csi.PluginCapability_Service_Type{
		csi.PluginCapability_Service_CONTROLLER_SERVICE, csi.PluginCapability_Service_VOLUME_ACCESSIBILITY_CONSTRAINTS,
	} {
		capabilities = append(capabilities, &csi.PluginCapability{Type: &csi.PluginCapability_Service_{
			Service: &csi.PluginCapability_Service{Type: service},
		}})
	}
	return &csi.GetPluginCapabilitiesResponse{Capabilities: capabilities}, nil
}

func (d *driver) Probe(context.Context, *csi.ProbeRequest) (*csi.ProbeResponse, error) {
	return &csi.ProbeResponse{Ready: wrapperspb.Bool(true)}, nil
}

// Expansion and snapshots are offered, and never asked for here, since their sidecars end without.
func (d *driver) ControllerGetCapabilities(
	context.Context, *csi.ControllerGetCapabilitiesRequest,
) (*csi.ControllerGetCapabilitiesResponse, error) {
	capabilities := []*csi.ControllerServiceCapability{}
	for _, rpc := range []csi.ControllerServiceCapability_RPC_Type{
		csi.ControllerServiceCapability_RPC_CREATE_DELETE_VOLUME,
		csi.ControllerServiceCapability_RPC_GET_CAPACITY,
		csi.ControllerServiceCapability_RPC_EXPAND_VOLUME,
		csi.ControllerServiceCapability_RPC_CREATE_DELETE_SNAPSHOT,
	} {
		capabilities = append(capabilities, &csi.ControllerServiceCapability{Type: &csi.ControllerServiceCapability_Rpc{
			Rpc: &csi.ControllerServiceCapability_RPC{Type: rpc},
		}})
	}
	return &csi.ControllerGetCapabilitiesResponse{Capabilities: capabilities}, nil
}

func (d *driver) GetCapacity(context.Context, *csi.GetCapacityRequest) (*csi.GetCapacityResponse, error) {
	return &csi.GetCapacityResponse{AvailableCapacity: 1 << 40}, nil
}

func (d *driver) CreateVolume(_ context.Context, request *csi.CreateVolumeRequest) (*csi.CreateVolumeResponse, error) {
	terms := request.GetAccessibilityRequirements().GetPreferred()
	if len(terms) == 0 {
		return nil, status.Error(codes.InvalidArgument, "there is no preferred topology")
	}
	id := terms[0].Segments[zoneKey] + "/" + request.Name
	if err := os.MkdirAll(place(allZones, id), 0o777); err != nil {
		return nil, err
	}
	return &csi.CreateVolumeResponse{Volume: &csi.Volume{
		VolumeId: id, CapacityBytes: request.GetCapacityRange().GetRequiredBytes(), AccessibleTopology: terms[:1],
	}}, nil
}

func (d *driver) DeleteVolume(_ context.Context, request *csi.DeleteVolumeRequest) (*csi.DeleteVolumeResponse, error) {
	return &csi.DeleteVolumeResponse{}, os.RemoveAll(place(allZones, request.VolumeId))
}

func place(zones, id string) string {
	return filepath.Join(zones, filepath.Dir(id), folder, filepath.Base(id))
}

func (d *driver) NodeGetInfo(context.Context, *csi.NodeGetInfoRequest) (*csi.NodeGetInfoResponse, error) {
	return &csi.NodeGetInfoResponse{
		NodeId: d.node, AccessibleTopology: &csi.Topology{Segments: map[string]string{zoneKey: d.zone}},
	}, nil
}

func (d *driver) NodeGetCapabilities(
	context.Context, *csi.NodeGetCapabilitiesRequest,
) (*csi.NodeGetCapabilitiesResponse, error) {
	return &csi.NodeGetCapabilitiesResponse{}, nil
}

func (d *driver) NodePublishVolume(
	_ context.Context, request *csi.NodePublishVolumeRequest,
) (*csi.NodePublishVolumeResponse, error) {
	if err := os.MkdirAll(request.TargetPath, 0o750); err != nil {
		return nil, err
	}
	return &csi.NodePublishVolumeResponse{},
		syscall.Mount(place(nodeZones, request.VolumeId), request.TargetPath, "", syscall.MS_BIND, "")
}

func (d *driver) NodeUnpublishVolume(
	_ context.Context, request *csi.NodeUnpublishVolumeRequest,
) (*csi.NodeUnpublishVolumeResponse, error) {
	if err := syscall.Unmount(request.TargetPath, 0); err != nil && err != syscall.EINVAL && err != syscall.ENOENT {
		return nil, err
	}
	return &csi.NodeUnpublishVolumeResponse{}, os.RemoveAll(request.TargetPath)
}
