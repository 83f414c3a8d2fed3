#include "decoders.h"

namespace tbd {
namespace {

// DebugEvent's oneof (tensorflow/core/protobuf/debug_event.proto).
enum Member : uint64_t {
  kWallTime = 1, kFirstMember = 3, kSourceFile = 4, kStackFrame = 6, kOpCreation = 7, kGraph = 8,
  kExecution = 9, kTrace = 10, kDevice = 12, kLastMember = 12
};

int32_t Int32(uint64_t value) { return static_cast<int32_t>(static_cast<uint32_t>(value)); }

bool Text(const Field& field, std::string_view& text) {
  text = field.span.text();
  return field.is_span();
}

bool Number(const Field& field, uint64_t& value) {
  value = field.value;
  return field.is_varint();
}

bool Int32(const Field& field, int32_t& value) {
  value = Int32(field.value);
  return field.is_varint();
}

uint8_t Mode(uint64_t mode) { return mode <= 255 ? static_cast<uint8_t>(mode) : 0; }

// "Add:1" -> ("Add", 1); a name without a slot has slot 0.
void SplitTensorName(std::string_view name, std::string_view& op_name, int32_t& slot) {
  op_name = name;
  slot = 0;
  const size_t colon = name.rfind(':');
  if (colon == std::string_view::npos) return;
  const std::string_view digits = name.substr(colon + 1);
  if (digits.empty() || digits.size() > 9) return;
  int32_t number = 0;
  for (char digit : digits) {
    if (digit < '0' || digit > '9') return;
    number = number * 10 + (digit - '0');
  }
  op_name = name.substr(0, colon);
  slot = number;
}

// False if the bytes are no DebugEvent. `member` is 0 where it has no content that is known.
bool ParseEvent(Span bytes, Event& event) {
  event.wall_time = 0;
  event.member = 0;
  Fields fields(bytes);
  Field field;
  while (fields.Next(field)) {
    if (field.number == kWallTime) {
      if (field.wire_type != kFixed64) return false;
      std::memcpy(&event.wall_time, &field.value, 8);
    } else if (field.is_span() && field.number >= kFirstMember && field.number <= kLastMember) {
      event.member = field.number;
      event.content = field.span;
    }
  }
  return fields.ok() && event.wall_time >= 0 && event.wall_time < 1e12;
}

}  // namespace

void ValueColumns::Append(const TensorSummary& summary, int32_t shape_id) {
  dtype.push_back(summary.dtype);
  rank.push_back(summary.rank);
  size.push_back(summary.size);
  shape.push_back(shape_id);
  int32_t narrow[kNumClasses];
  for (int kind = 0; kind < kNumClasses; ++kind) {
    const int64_t count = summary.counts.of[kind];
    narrow[kind] = count < int64_t{1} << 31 ? static_cast<int32_t>(count) : kCountInRecord;
  }
  counts.insert(counts.end(), narrow, narrow + kNumClasses);
  bad.push_back(summary.bad);
}

size_t Decoder::Feed(const uint8_t* data, size_t size) {
  losses_.clear();
  Reset();
  std::vector<Loss> undecodable;
  RecordReader records(data, size, resyncing_, offset_, losses_);
  const uint8_t* payload;
  size_t length;
  Event event;
  while (records.Next(payload, length, event.offset)) {
    if (!ParseEvent({payload, payload + length}, event) || (event.member && !DecodeMember(event))) {
      undecodable.push_back({LossKind::kUndecodable, event.offset, static_cast<int64_t>(length + kFrameBytes)});
    }
  }
  losses_.insert(losses_.end(), undecodable.begin(), undecodable.end());
  offset_ += static_cast<int64_t>(records.consumed());
  resyncing_ = records.resyncing();
  return records.consumed();
}

int32_t Decoder::ShapeId(const TensorSummary& summary, const std::vector<int64_t>& shape) {
  if (!summary.has_shape) return -1;
  return vocabulary_.shapes.Intern(
      {reinterpret_cast<const char*>(shape.data()), shape.size() * sizeof(int64_t)});
}

void ExecutionDecoder::Reset() {
  StartAnew(columns.offset, rows_);
  StartAnew(columns.wall_time, rows_);
  StartAnew(columns.op_type, rows_);
  StartAnew(columns.graph, rows_);
  StartAnew(columns.location, rows_);
  StartAnew(columns.mode, rows_);
  StartAnew(columns.num_inputs, rows_);
  StartAnew(columns.num_outputs, rows_);
  StartAnew(columns.num_values, rows_);
  StartAnew(columns.input_tensor_id, inputs_in_all_);
  StartAnew(columns.output_tensor_id, outputs_in_all_);
  StartAnew(columns.output_device_id, outputs_in_all_);
  columns.values.StartAnew(values_in_all_);
  rows_ = inputs_in_all_ = outputs_in_all_ = values_in_all_ = 0;
}

bool ExecutionDecoder::DecodeMember(const Event& event) {
  if (event.member != kExecution) return true;
  std::string_view op_type, graph_id;
  uint64_t mode = 0;
  bool has_location = false;
  Span location;
  inputs_.clear();
  outputs_.clear();
  devices_.clear();
  tensor_spans_.clear();
  Fields fields(event.content);
  Field field;
  while (fields.Next(field)) {
    bool good = true;
    switch (field.number) {
      case 1: good = Text(field, op_type); break;
      case 3: good = Text(field, graph_id); break;
      case 4: good = EachVarint(field, [&](uint64_t n) { inputs_.push_back(static_cast<int64_t>(n)); }); break;
      case 5: good = EachVarint(field, [&](uint64_t n) { outputs_.push_back(static_cast<int64_t>(n)); }); break;
      case 6: good = Number(field, mode); break;
      case 7:
        good = field.is_span();
        tensor_spans_.push_back(field.span);
        break;
      case 8:
        good = has_location = field.is_span();
        location = field.span;
        break;
      case 9: good = EachVarint(field, [&](uint64_t n) { devices_.push_back(Int32(n)); }); break;
      default: break;
    }
    if (!good) return false;
  }
  if (!fields.ok()) return false;
  const uint8_t known_mode = Mode(mode);
  summaries_.resize(tensor_spans_.size());
  shapes_.resize(tensor_spans_.size());
  for (size_t i = 0; i < tensor_spans_.size(); ++i) {
    if (!tensors_.Read(tensor_spans_[i], known_mode, summaries_[i])) return false;
    if (summaries_[i].has_shape) shapes_[i] = tensors_.shape();
  }
  // From here on nothing fails: a record adds a row to every column or to none.
  rows_ += 1;
  inputs_in_all_ += inputs_.size();
  outputs_in_all_ += outputs_.size();
  values_in_all_ += summaries_.size();
  columns.offset.push_back(event.offset);
  columns.wall_time.push_back(event.wall_time);
  columns.op_type.push_back(vocabulary_.strings.Intern(op_type));
  columns.graph.push_back(graph_id.empty() ? -1 : vocabulary_.graph_ids.Intern(graph_id));
  columns.location.push_back(has_location ? vocabulary_.locations.Intern(location.text()) : -1);
  columns.mode.push_back(known_mode);
  columns.num_inputs.push_back(static_cast<int32_t>(inputs_.size()));
  columns.num_outputs.push_back(static_cast<int32_t>(outputs_.size()));
  columns.num_values.push_back(static_cast<int32_t>(summaries_.size()));
  columns.input_tensor_id.insert(columns.input_tensor_id.end(), inputs_.begin(), inputs_.end());
  columns.output_tensor_id.insert(columns.output_tensor_id.end(), outputs_.begin(), outputs_.end());
  devices_.resize(outputs_.size(), 0);
  columns.output_device_id.insert(columns.output_device_id.end(), devices_.begin(), devices_.end());
  for (size_t i = 0; i < summaries_.size(); ++i) {
    columns.values.Append(summaries_[i], ShapeId(summaries_[i], shapes_[i]));
  }
  return true;
}

void TraceDecoder::Reset() {
  StartAnew(columns.offset, rows_);
  StartAnew(columns.wall_time, rows_);
  StartAnew(columns.op, rows_);
  StartAnew(columns.output_slot, rows_);
  StartAnew(columns.mode, rows_);
  StartAnew(columns.device, rows_);
  StartAnew(columns.tensor_id, rows_);
  columns.values.StartAnew(rows_);
  rows_ = 0;
}

bool TraceDecoder::DecodeMember(const Event& event) {
  if (event.member != kTrace) return true;
  std::string_view graph_id, op_name, device;
  int32_t slot = 0;
  uint64_t mode = 0;
  Span tensor;
  Fields fields(event.content);
  Field field;
  while (fields.Next(field)) {
    bool good = true;
    switch (field.number) {
      case 1: good = Text(field, graph_id); break;
      case 2: good = Text(field, op_name); break;
      case 3: good = Int32(field, slot); break;
      case 4: good = Number(field, mode); break;
      case 5:
        good = field.is_span();
        tensor = field.span;
        break;
      case 6: good = Text(field, device); break;
      default: break;
    }
    if (!good) return false;
  }
  if (!fields.ok()) return false;
  TensorSummary summary;
  if (!tensors_.Read(tensor, Mode(mode), summary)) return false;
  ++rows_;
  columns.offset.push_back(event.offset);
  columns.wall_time.push_back(event.wall_time);
  columns.op.push_back(vocabulary_.op_refs.Intern(op_name, vocabulary_.graph_ids.Intern(graph_id)));
  columns.output_slot.push_back(slot);
  columns.mode.push_back(Mode(mode));
  columns.device.push_back(device.empty() ? -1 : vocabulary_.strings.Intern(device));
  columns.tensor_id.push_back(summary.tensor_id);
  columns.values.Append(summary, ShapeId(summary, tensors_.shape()));
  return true;
}

bool GraphsDecoder::DecodeMember(const Event& event) {
  switch (event.member) {
    case kOpCreation: return DecodeOp(event);
    case kGraph: return DecodeGraph(event);
    case kDevice: return DecodeDevice(event);
    default: return true;
  }
}

bool GraphsDecoder::DecodeOp(const Event& event) {
  std::string_view op_type, op_name, graph_id, input;
  bool has_location = false;
  Span location;
  inputs_.clear();
  outputs_.clear();
  Fields fields(event.content);
  Field field;
  while (fields.Next(field)) {
    bool good = true;
    switch (field.number) {
      case 1: good = Text(field, op_type); break;
      case 2: good = Text(field, op_name); break;
      case 4: good = Text(field, graph_id); break;
      case 6:
        good = Text(field, input);
        inputs_.push_back(field.span);
        break;
      case 8:
        good = has_location = field.is_span();
        location = field.span;
        break;
      case 9: good = EachVarint(field, [&](uint64_t n) { outputs_.push_back(static_cast<int64_t>(n)); }); break;
      default: break;
    }
    if (!good) return false;
  }
  if (!fields.ok()) return false;
  const int32_t graph = vocabulary_.graph_ids.Intern(graph_id);
  columns.offset.push_back(event.offset);
  columns.wall_time.push_back(event.wall_time);
  columns.op.push_back(vocabulary_.op_refs.Intern(op_name, graph));
  columns.op_type.push_back(vocabulary_.strings.Intern(op_type));
  columns.location.push_back(has_location ? vocabulary_.locations.Intern(location.text()) : -1);
  columns.num_inputs.push_back(static_cast<int32_t>(inputs_.size()));
  columns.num_outputs.push_back(static_cast<int32_t>(outputs_.size()));
  for (const Span& name : inputs_) {
    std::string_view producer;
    int32_t slot;
    SplitTensorName(name.text(), producer, slot);
    columns.input_op.push_back(vocabulary_.op_refs.Intern(producer, graph));
    columns.input_slot.push_back(slot);
  }
  columns.output_tensor_id.insert(columns.output_tensor_id.end(), outputs_.begin(), outputs_.end());
  return true;
}

bool GraphsDecoder::DecodeGraph(const Event& event) {
  std::string_view graph_id, name, outer;
  Fields fields(event.content);
  Field field;
  while (fields.Next(field)) {
    bool good = true;
    switch (field.number) {
      case 1: good = Text(field, graph_id); break;
      case 2: good = Text(field, name); break;
      case 6: good = Text(field, outer); break;
      default: break;
    }
    if (!good) return false;
  }
  if (!fields.ok()) return false;
  const int32_t graph = vocabulary_.graph_ids.Intern(graph_id);
  const int32_t around = outer.empty() ? -1 : vocabulary_.graph_ids.Intern(outer);
  columns.graphs.push_back({event.offset, event.wall_time, graph, std::string(name), around});
  return true;
}

bool GraphsDecoder::DecodeDevice(const Event& event) {
  std::string_view name;
  int32_t device_id = 0;
  Fields fields(event.content);
  Field field;
  while (fields.Next(field)) {
    bool good = true;
    switch (field.number) {
      case 1: good = Text(field, name); break;
      case 2: good = Int32(field, device_id); break;
      default: break;
    }
    if (!good) return false;
  }
  if (!fields.ok()) return false;
  columns.devices.push_back({device_id, std::string(name)});
  return true;
}

bool SourceFilesDecoder::DecodeMember(const Event& event) {
  if (event.member != kSourceFile) return true;
  std::string_view host_name, file_path;
  int64_t num_lines = 0;
  Fields fields(event.content);
  Field field;
  while (fields.Next(field)) {
    bool good = true;
    switch (field.number) {
      case 1: good = Text(field, file_path); break;
      case 2: good = Text(field, host_name); break;
      case 3: ++num_lines; break;
      default: break;
    }
    if (!good) return false;
  }
  if (!fields.ok()) return false;
  files.push_back({event.offset, std::string(host_name), std::string(file_path), num_lines});
  return true;
}

bool StackFramesDecoder::DecodeMember(const Event& event) {
  if (event.member != kStackFrame) return true;
  std::string_view frame_id, function;
  int32_t file_index = 0, lineno = 0;
  Fields fields(event.content);
  Field field;
  while (fields.Next(field)) {
    bool good = true;
    if (field.number == 1) {
      good = Text(field, frame_id);
    } else if (field.number == 2) {
      if (!field.is_span()) return false;
      Fields inner(field.span);
      Field entry;
      while (good && inner.Next(entry)) {
        switch (entry.number) {
          case 1: good = Int32(entry, file_index); break;
          case 2: good = Int32(entry, lineno); break;
          case 4: good = Text(entry, function); break;
          default: break;
        }
      }
      good = good && inner.ok();
    }
    if (!good) return false;
  }
  if (!fields.ok()) return false;
  frames.push_back({std::string(frame_id), file_index, lineno, std::string(function)});
  return true;
}

}  // namespace tbd
