#include "decoders.h"

#include <algorithm>

namespace tbd {
namespace {

// DebugEvent's oneof (tensorflow/core/protobuf/debug_event.proto).
enum Member : uint64_t {
  kWallTime = 1, kFirstMember = 3, kSourceFile = 4, kStackFrame = 6, kOpCreation = 7, kGraph = 8,
  kExecution = 9, kTrace = 10, kDevice = 12, kLastMember = 12
};

int32_t Int32(uint64_t value) { return static_cast<int32_t>(static_cast<uint32_t>(value)); }

bool Text(const Field& field, std::string_view& text) {
  if (!field.is_span()) return false;
  text = field.span().text();
  return true;
}

bool Number(const Field& field, uint64_t& value) {
  value = field.value;
  return field.is_varint();
}

bool Int32(const Field& field, int32_t& value) {
  value = Int32(field.value);
  return field.is_varint();
}

// The shape of a value before it has an id.
constexpr int32_t kToBeInterned = -3;

uint8_t KnownMode(uint64_t mode) { return mode <= 255 ? static_cast<uint8_t>(mode) : 0; }

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
      event.content = field.span();
    }
  }
  return fields.ok() && event.wall_time >= 0 && event.wall_time < 1e12;
}

// How many varints end in the bytes.
TBD_APART size_t CountVarints(Span bytes) {
  return static_cast<size_t>(std::count_if(bytes.begin, bytes.end, [](uint8_t byte) { return byte < 0x80; }));
}

// How many varints the field holds at most. Long ones are counted: memory for a byte each would be eight times too much.
TBD_INLINE size_t MostVarints(const Field& field) {
  if (!field.is_span()) return 1;
  return field.span().size() <= 256 ? field.span().size() : CountVarints(field.span()) + 1;
}

// Whether the field's elements, behind the `num` that a record has, are more than any event has.
TBD_INLINE bool AreTooMany(const Field& field, size_t num) {
  if (!field.is_span()) return field.is_varint() && num == kMostParts;
  return field.span().size() > kMostParts - num && CountVarints(field.span()) > kMostParts - num;
}

// Adds the elements of one occurrence of a repeated varint field behind the `num` that a record has so far.
TBD_INLINE bool AddVarints(const Field& field, Group& group, size_t& num, std::vector<int64_t>& column,
                           std::vector<int32_t>* beside) {
  const size_t most = num + MostVarints(field);
  if (beside) {
    group.MakeRoom(most, column, *beside);
  } else {
    group.MakeRoom(most, column);
  }
  int64_t* const values = column.data() + group.size();
  return EachVarint(field, [&](uint64_t value) { values[num++] = static_cast<int64_t>(value); });
}

}  // namespace

void ValueColumns::Set(size_t row, const TensorSummary& summary) {
  dtype[row] = summary.dtype;
  rank[row] = summary.rank;
  size[row] = summary.size;
  for (int kind = 0; kind < kNumClasses; ++kind) counts[kind][row] = summary.counts[kind];
  bad[row] = summary.bad;
}

void Decoder::StartBatch() {
  losses_.clear();
  Reset();
}

size_t Decoder::Feed(const uint8_t* data, size_t size) {
  std::vector<Loss> of_records;
  RecordReader records(data, size, resyncing_, offset_, losses_);
  const uint8_t* payload;
  size_t length;
  Event event;
  while (records.Next(payload, length, event.offset)) {
    const bool good = ParseEvent({payload, payload + length}, event) && (!event.member || DecodeMember(event));
    if (good && !vocabulary_.room.saw_long_name) continue;
    const LossKind kind = good ? LossKind::kLongName : failure_;
    of_records.push_back({kind, event.offset, static_cast<int64_t>(length + kFrameBytes)});
    failure_ = LossKind::kUndecodable;
    vocabulary_.room.saw_long_name = false;
  }
  losses_.insert(losses_.end(), of_records.begin(), of_records.end());
  offset_ += static_cast<int64_t>(records.consumed());
  resyncing_ = records.resyncing();
  return records.consumed();
}

int32_t Decoder::ShapeId(const std::vector<int64_t>& shape) {
  return vocabulary_.shapes.Intern(
      {reinterpret_cast<const char*>(shape.data()), shape.size() * sizeof(int64_t)});
}

bool ExecutionDecoder::DecodeMember(const Event& event) {
  if (event.member != kExecution) return true;
  std::string_view op_type, graph_id;
  uint64_t mode = 0;
  bool has_location = false;
  Span location;
  Columns& c = *columns.get();
  size_t num_inputs = 0, num_outputs = 0, num_values = 0, num_devices = 0;
  Fields fields(event.content);
  Field field;
  while (fields.Next(field)) {
    bool good = true;
    switch (field.number) {
      case 1: good = Text(field, op_type); break;
      case 3: good = Text(field, graph_id); break;
      case 4:
        if (AreTooMany(field, num_inputs)) return Fail(LossKind::kTooLarge);
        good = AddVarints(field, c.inputs, num_inputs, c.input_tensor_id, nullptr);
        break;
      case 5:
        if (AreTooMany(field, num_outputs)) return Fail(LossKind::kTooLarge);
        good = AddVarints(field, c.outputs, num_outputs, c.output_tensor_id, &c.output_device_id);
        break;
      case 6: good = Number(field, mode); break;
      case 7:
        if (!field.is_span()) return false;
        if (num_values == kMostParts) return Fail(LossKind::kTooLarge);
        if (tensor_spans_.size() == num_values) tensor_spans_.resize(2 * num_values + 8);
        tensor_spans_[num_values++] = field.span();
        break;
      case 8:
        if (!field.is_span()) return false;
        if (field.span().size() > kMostLocationBytes) return Fail(LossKind::kTooLarge);
        has_location = true;
        location = field.span();
        break;
      case 9:
        if (AreTooMany(field, num_devices)) return Fail(LossKind::kTooLarge);
        if (const size_t most = num_devices + MostVarints(field); devices_.size() < most) devices_.resize(most);
        good = EachVarint(field, [&](uint64_t n) { devices_[num_devices++] = Int32(n); });
        break;
      default: break;
    }
    if (!good) return false;
  }
  if (!fields.ok()) return false;
  const uint8_t known_mode = KnownMode(mode);
  const size_t first_value = c.values.rows.size();
  c.values.MakeRoom(num_values);
  if (shapes_.size() < num_values) shapes_.resize(num_values);
  for (size_t i = 0; i < num_values; ++i) {
    TensorSummary summary;
    if (!tensors_.Read(tensor_spans_[i], known_mode, summary)) return false;
    c.values.Set(first_value + i, summary);
    c.values.shape[first_value + i] = summary.has_shape ? kToBeInterned : -1;
    if (summary.has_shape) shapes_[i] = tensors_.shape();
  }
  const int32_t op_type_id = vocabulary_.strings.Intern(op_type);
  const int32_t graph = graph_id.empty() ? -1 : vocabulary_.graph_ids.Intern(graph_id);
  const int32_t location_id = has_location ? vocabulary_.locations.Intern(location.text()) : -1;
  bool has_room = op_type_id != kNoRoom && graph != kNoRoom && location_id != kNoRoom;
  for (size_t i = 0; i < num_values; ++i) {
    int32_t& shape = c.values.shape[first_value + i];
    if (shape == kToBeInterned) shape = ShapeId(shapes_[i]);
    has_room = has_room && shape != kNoRoom;
  }
  if (!has_room) return Fail(LossKind::kTooManyNames);
  // From here on nothing fails: a record adds a row to every column or to none.
  c.rows.MakeRoom(1, c.offset, c.wall_time, c.op_type, c.graph, c.location, c.mode, c.num_inputs, c.num_outputs,
                  c.num_values);
  const size_t row = c.rows.size();
  c.offset[row] = event.offset;
  c.wall_time[row] = event.wall_time;
  c.op_type[row] = op_type_id;
  c.graph[row] = graph;
  c.location[row] = location_id;
  c.mode[row] = known_mode;
  c.num_inputs[row] = static_cast<int32_t>(num_inputs);
  c.num_outputs[row] = static_cast<int32_t>(num_outputs);
  c.num_values[row] = static_cast<int32_t>(num_values);
  for (size_t i = 0; i < num_outputs; ++i) {
    c.output_device_id[c.outputs.size() + i] = i < num_devices ? devices_[i] : 0;
  }
  c.rows.Add(1);
  c.inputs.Add(num_inputs);
  c.outputs.Add(num_outputs);
  c.values.rows.Add(num_values);
  return true;
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
      case 3: good = Int32(field, slot) && slot >= 0; break;
      case 4: good = Number(field, mode); break;
      case 5:
        if (!field.is_span()) return false;
        tensor = field.span();
        break;
      case 6: good = Text(field, device); break;
      default: break;
    }
    if (!good) return false;
  }
  if (!fields.ok()) return false;
  TensorSummary summary;
  if (!tensors_.Read(tensor, KnownMode(mode), summary)) return false;
  const int32_t op = vocabulary_.op_refs.Intern(op_name, vocabulary_.graph_ids.Intern(graph_id));
  const int32_t device_id = device.empty() ? -1 : vocabulary_.strings.Intern(device);
  const int32_t shape = summary.has_shape ? ShapeId(tensors_.shape()) : -1;
  if (op == kNoRoom || device_id == kNoRoom || shape == kNoRoom) return Fail(LossKind::kTooManyNames);
  Columns& c = *columns.get();
  c.rows.MakeRoom(1, c.offset, c.wall_time, c.op, c.output_slot, c.mode, c.device, c.tensor_id);
  const size_t row = c.rows.size();
  c.offset[row] = event.offset;
  c.wall_time[row] = event.wall_time;
  c.op[row] = op;
  c.output_slot[row] = slot;
  c.mode[row] = KnownMode(mode);
  c.device[row] = device_id;
  c.tensor_id[row] = summary.tensor_id;
  c.rows.Add(1);
  c.values.MakeRoom(1);
  c.values.Set(c.values.rows.size(), summary);
  c.values.shape[c.values.rows.size()] = shape;
  c.values.rows.Add(1);
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
        if (!Text(field, input)) return false;
        if (inputs_.size() == kMostParts) return Fail(LossKind::kTooLarge);
        inputs_.push_back(field.span());
        break;
      case 8:
        if (!field.is_span()) return false;
        if (field.span().size() > kMostLocationBytes) return Fail(LossKind::kTooLarge);
        has_location = true;
        location = field.span();
        break;
      case 9:
        if (AreTooMany(field, outputs_.size())) return Fail(LossKind::kTooLarge);
        good = EachVarint(field, [&](uint64_t n) { outputs_.push_back(static_cast<int64_t>(n)); });
        break;
      default: break;
    }
    if (!good) return false;
  }
  if (!fields.ok()) return false;
  const int32_t graph = vocabulary_.graph_ids.Intern(graph_id);
  const int32_t op = vocabulary_.op_refs.Intern(op_name, graph);
  const int32_t op_type_id = vocabulary_.strings.Intern(op_type);
  const int32_t location_id = has_location ? vocabulary_.locations.Intern(location.text()) : -1;
  bool has_room = op != kNoRoom && op_type_id != kNoRoom && location_id != kNoRoom;
  input_ops_.clear();
  input_slots_.clear();
  for (const Span& name : inputs_) {
    std::string_view producer;
    int32_t slot;
    SplitTensorName(name.text(), producer, slot);
    input_ops_.push_back(vocabulary_.op_refs.Intern(producer, graph));
    input_slots_.push_back(slot);
    has_room = has_room && input_ops_.back() != kNoRoom;
  }
  if (!has_room) return Fail(LossKind::kTooManyNames);
  columns->offset.push_back(event.offset);
  columns->wall_time.push_back(event.wall_time);
  columns->op.push_back(op);
  columns->op_type.push_back(op_type_id);
  columns->location.push_back(location_id);
  columns->num_inputs.push_back(static_cast<int32_t>(inputs_.size()));
  columns->num_outputs.push_back(static_cast<int32_t>(outputs_.size()));
  columns->input_op.insert(columns->input_op.end(), input_ops_.begin(), input_ops_.end());
  columns->input_slot.insert(columns->input_slot.end(), input_slots_.begin(), input_slots_.end());
  columns->output_tensor_id.insert(columns->output_tensor_id.end(), outputs_.begin(), outputs_.end());
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
  std::string kept = Kept(name);
  if (graph == kNoRoom || around == kNoRoom || !vocabulary_.room.Take(kept.size())) return Fail(LossKind::kTooManyNames);
  columns->graphs.push_back({event.offset, event.wall_time, graph, std::move(kept), around});
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
  std::string kept = Kept(name);
  if (!vocabulary_.room.Take(kept.size())) return Fail(LossKind::kTooManyNames);
  columns->devices.push_back({device_id, std::move(kept)});
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
  std::string host = Kept(host_name), path = Kept(file_path);
  if (!vocabulary_.room.Take(host.size() + path.size())) return Fail(LossKind::kTooManyNames);
  files.push_back({event.offset, std::move(host), std::move(path), num_lines});
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
      Fields inner(field.span());
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
  std::string id = Kept(frame_id), name = Kept(function);
  if (!vocabulary_.room.Take(id.size() + name.size())) return Fail(LossKind::kTooManyNames);
  frames.push_back({std::move(id), file_index, lineno, std::move(name)});
  return true;
}

}  // namespace tbd
