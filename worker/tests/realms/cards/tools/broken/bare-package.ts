import axios from 'axios';

export default class FetchTool {
  axios = axios;
}
