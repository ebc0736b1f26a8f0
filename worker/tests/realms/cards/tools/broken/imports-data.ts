import data from './data.json';

export default class DataTool {
  data = data;
}
