// The Python face of the decoders: tb_debugger_plugin.events._native. events/native_decoder.py wraps it.
//
// Decoding releases the GIL. Columns become NumPy arrays that share the decoder's vectors: nothing is copied.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>

#include <memory>
#include <utility>

#include "crc32c.h"
#include "decoders.h"

namespace nb = nanobind;

namespace tbd {
namespace {

using Bytes = nb::ndarray<const uint8_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

// Makes arrays of a piece's columns. Each of them keeps all columns of the piece alive.
template <typename Columns>
class Arrays {
 public:
  explicit Arrays(const SharedColumns<Columns>& columns)
      : owner_(new std::shared_ptr<Columns>(columns.get()),
               [](void* kept) noexcept { delete static_cast<std::shared_ptr<Columns>*>(kept); }) {}

  template <typename T>
  nb::object operator()(std::vector<T>& values, size_t size) const {
    return nb::cast(nb::ndarray<nb::numpy, T, nb::ndim<1>>(values.data(), {size}, owner_));
  }

 private:
  nb::capsule owner_;
};

nb::str Text(std::string_view bytes) {
  PyObject* text = PyUnicode_DecodeUTF8(bytes.data(), static_cast<Py_ssize_t>(bytes.size()), "replace");
  if (!text) throw nb::python_error();
  return nb::steal<nb::str>(text);
}

std::string CleanByPython(std::string_view bytes) {
  nb::gil_scoped_acquire acquire;
  const nb::object clean = nb::module_::import_("tb_debugger_plugin.events.texts").attr("clean");
  return nb::cast<std::string>(clean(nb::bytes(bytes.data(), bytes.size())));
}

nb::list Losses(const std::vector<Loss>& losses) {
  static const char* const kinds[] = {"bad_length", "bad_payload", "undecodable", "too_large", "too_many_names", "long_name"};
  nb::list list;
  for (const Loss& loss : losses) {
    list.append(nb::make_tuple(kinds[static_cast<int>(loss.kind)], loss.offset, loss.num_bytes));
  }
  return list;
}

nb::list Texts(const TextInterner& names, size_t first) {
  nb::list list;
  for (size_t id = first; id < names.texts().size(); ++id) list.append(Text(names.texts().name(id)));
  return list;
}

// The names that were added behind the first ones of each list.
nb::tuple NewNames(const Decoder& decoder, size_t strings, size_t graph_ids, size_t op_refs, size_t locations,
                   size_t shapes) {
  const Vocabulary& words = decoder.vocabulary();
  nb::list refs, places, dims;
  for (size_t id = op_refs; id < words.op_refs.texts().size(); ++id) {
    refs.append(nb::make_tuple(words.op_refs.texts().beside(id), Text(words.op_refs.texts().name(id))));
  }
  for (size_t id = locations; id < words.locations.size(); ++id) {
    const std::string& bytes = words.locations.name(id);
    places.append(nb::bytes(bytes.data(), bytes.size()));
  }
  for (size_t id = shapes; id < words.shapes.size(); ++id) {
    const std::string& bytes = words.shapes.name(id);
    nb::list shape;
    for (size_t at = 0; at < bytes.size(); at += sizeof(int64_t)) {
      int64_t dim;
      std::memcpy(&dim, bytes.data() + at, sizeof(dim));
      shape.append(dim);
    }
    dims.append(nb::tuple(shape));
  }
  return nb::make_tuple(Texts(words.strings, strings), Texts(words.graph_ids, graph_ids), refs, places, dims);
}

size_t Feed(Decoder& decoder, const Bytes& piece) {
  const uint8_t* data = piece.data();
  const size_t size = piece.shape(0);
  nb::gil_scoped_release release;
  return decoder.Feed(data, size);
}

template <typename Columns>
nb::tuple Values(const Arrays<Columns>& array, ValueColumns& values) {
  const size_t n = values.rows.size();
  nb::list counts;
  for (auto& column : values.counts) counts.append(array(column, n));
  return nb::make_tuple(array(values.dtype, n), array(values.rank, n), array(values.size, n), array(values.shape, n),
                        nb::tuple(counts), array(values.bad, n));
}

nb::tuple ExecutionRows(ExecutionDecoder& decoder) {
  auto& c = *decoder.columns.get();
  const Arrays array(decoder.columns);
  const size_t n = c.rows.size(), outputs = c.outputs.size();
  return nb::make_tuple(array(c.offset, n), array(c.wall_time, n), array(c.op_type, n), array(c.graph, n),
                        array(c.location, n), array(c.mode, n), array(c.num_inputs, n), array(c.num_outputs, n),
                        array(c.num_values, n), array(c.input_tensor_id, c.inputs.size()),
                        array(c.output_tensor_id, outputs), array(c.output_device_id, outputs),
                        Values(array, c.values));
}

nb::tuple TraceRows(TraceDecoder& decoder) {
  auto& c = *decoder.columns.get();
  const Arrays array(decoder.columns);
  const size_t n = c.rows.size();
  return nb::make_tuple(array(c.offset, n), array(c.wall_time, n), array(c.op, n), array(c.output_slot, n),
                        array(c.mode, n), array(c.device, n), array(c.tensor_id, n), Values(array, c.values));
}

nb::tuple GraphRows(GraphsDecoder& decoder) {
  auto& c = *decoder.columns.get();
  const Arrays array(decoder.columns);
  const size_t n = c.offset.size(), inputs = c.input_op.size();
  nb::list graphs, devices;
  for (const auto& graph : c.graphs) {
    graphs.append(nb::make_tuple(graph.offset, graph.wall_time, graph.graph, Text(graph.name), graph.outer));
  }
  for (const auto& device : c.devices) devices.append(nb::make_tuple(device.device_id, Text(device.name)));
  return nb::make_tuple(array(c.offset, n), array(c.wall_time, n), array(c.op, n), array(c.op_type, n),
                        array(c.location, n), array(c.num_inputs, n), array(c.num_outputs, n),
                        array(c.input_op, inputs), array(c.input_slot, inputs),
                        array(c.output_tensor_id, c.output_tensor_id.size()), graphs, devices);
}

nb::list FileRows(SourceFilesDecoder& decoder) {
  nb::list rows;
  for (const auto& file : decoder.files) {
    rows.append(nb::make_tuple(file.offset, Text(file.host_name), Text(file.file_path), file.num_lines));
  }
  return rows;
}

nb::list FrameRows(StackFramesDecoder& decoder) {
  nb::list rows;
  for (const auto& frame : decoder.frames) {
    rows.append(nb::make_tuple(Text(frame.frame_id), frame.file_index, frame.lineno, Text(frame.function)));
  }
  return rows;
}

template <typename D, typename Rows>
void Define(nb::module_& module, const char* name, Rows rows) {
  nb::class_<D, Decoder>(module, name)
      .def("__init__", [](D* self, int64_t offset, bool resyncing) { new (self) D(CleanByPython, offset, resyncing); })
      .def("rows", rows, "The columns of the batch.");
}

}  // namespace
}  // namespace tbd

NB_MODULE(_native, module) {
  using namespace tbd;
  // A program that ends while the loader's thread reads keeps its decoders: nothing to tell the user about.
  nb::set_leak_warnings(false);
  module.def("crc32c", [](const Bytes& bytes) { return Crc32c(bytes.data(), bytes.shape(0)); });
  nb::class_<Decoder>(module, "Decoder")
      .def("feed", Feed, "Decodes the whole records at the start of a piece; returns the bytes used.")
      .def_prop_ro("offset", &Decoder::offset)
      .def_prop_ro("resyncing", &Decoder::resyncing)
      .def("start_batch", &Decoder::StartBatch)
      .def("set_room", &Decoder::SetRoom)
      .def("losses", [](const Decoder& decoder) { return Losses(decoder.losses()); })
      .def("new_names", NewNames);
  Define<ExecutionDecoder>(module, "ExecutionDecoder", ExecutionRows);
  Define<TraceDecoder>(module, "TraceDecoder", TraceRows);
  Define<GraphsDecoder>(module, "GraphsDecoder", GraphRows);
  Define<SourceFilesDecoder>(module, "SourceFilesDecoder", FileRows);
  Define<StackFramesDecoder>(module, "StackFramesDecoder", FrameRows);
}
